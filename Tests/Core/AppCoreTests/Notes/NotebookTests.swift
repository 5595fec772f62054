import AppCore
import Testing

/// The list of notes, its folders, its filter, and the search.
@Suite struct NotebookTests {
    @Test func theListComesAndChanges() throws {
        var driver = try TestDriver()
        try driver.notes(.openNotes)
        #expect(driver.state.notes.sync == .opening)
        let opening = try driver.waiting(\.opensNotes)
        try driver.event(.notesListed(effect: opening, notes: [.groceries, .plans], folders: .some))
        #expect(driver.state.notes.sync == .ready)
        #expect(Array(driver.state.notes.list.inOrder.map(\.id)) == ["plans", "groceries"])
        try driver.changeNotes([.groceries.with { $0.pinned = true }], removed: ["plans"])
        #expect(Array(driver.state.notes.list.inOrder.map(\.id)) == ["groceries"])
        try driver.event(.notesSyncChanged(effect: opening, remaining: 3, failure: nil))
        #expect(driver.state.notes.sync == .catchingUp(remaining: 3))
        let failure = Failure(.folderUnwritable)
        try driver.event(.notesSyncChanged(effect: opening, remaining: -1, failure: failure))
        #expect(driver.state.notes.sync == .problem(failure))
        #expect(driver.disk.keys.allSatisfy { !$0.contains("groceries") })
    }

    @Test func paragraphsOfAPreviewStayApart() throws {
        var driver = try TestDriver()
        try driver.notes(.openNotes)
        let opening = try driver.waiting(\.opensNotes)
        let note = ListedNote.groceries.with { $0.preview = "Milk\nBread\u{0}" }
        try driver.event(.notesListed(effect: opening, notes: [note], folders: []))
        #expect(driver.state.notes.list[note.id]?.preview == "Milk Bread")
    }

    @Test func openingTwiceAsksOnce() throws {
        var driver = try TestDriver()
        try driver.notes(.openNotes)
        try driver.notes(.openNotes)
        #expect(driver.effects.isEmpty)
        try driver.app(.back)
        try driver.app(.navigate(to: Screen(.folders)))
        #expect(driver.open.count(where: { $0.kind.opensNotes }) == 1)
    }

    @Test func whatAnOldOpeningSaysIsNotHeard() throws {
        var driver = try TestDriver()
        try driver.listNotes()
        let old = try driver.waiting(\.opensNotes)
        try driver.notes(.closeNotes)
        #expect(driver.effects == [.closeNotes])
        #expect(driver.state.notes == Notebook())
        #expect(driver.tree.id == "rooms")
        try driver.notes(.openNotes)
        try driver.event(.notesListed(effect: old, notes: [.groceries], folders: []))
        try driver.event(.notesChanged(effect: old, notes: [.groceries], removed: []))
        try driver.event(.foldersChanged(effect: old, folders: .some))
        try driver.event(.notesSyncChanged(effect: old, remaining: 2, failure: nil))
        #expect(driver.state.notes.list.isEmpty)
        #expect(driver.state.notes.sync == .opening)
    }

    @Test func aFolderThatIsAwayIsTriedAgain() throws {
        var driver = try TestDriver()
        try driver.notes(.openNotes)
        try driver.fail(
            try driver.waiting(\.opensNotes), Failure(.folderUnavailable, retryable: true, retryAfter: 5000))
        #expect(!driver.state.notes.isOpen)
        try driver.pass(seconds: 4)
        #expect(!driver.asked(\.opensNotes))
        try driver.pass(seconds: 2)
        #expect(driver.asked(\.opensNotes))
        try driver.fail(try driver.waiting(\.opensNotes), Failure(.folderUnavailable))
        try driver.pass(seconds: 3600)
        #expect(!driver.state.notes.isOpen)
        try driver.tap("notes.retry")
        #expect(driver.asked(\.opensNotes))
    }

    @Test func theOrderIsThatOfASortedList() throws {
        var driver = try TestDriver()
        driver.keepsStates = false
        try driver.listNotes([])
        var random = SplitMix64(seed: 3)
        var model: [NoteID: ListedNote] = [:]
        for round in 0..<400 {
            // Sometimes so many at once that they are sorted in together.
            let changed = (0..<(round % 50 == 0 ? 100 : 2)).map { _ in
                ListedNote(
                    id: NoteID("n\(Int.random(in: 0..<150, using: &random))"), title: "",
                    created: .init(milliseconds: 0),
                    modified: .init(milliseconds: .random(in: 0..<40, using: &random)),
                    deleted: .random(using: &random), pinned: .random(using: &random),
                    tags: [["a"], ["b"], ["a", "b"], []].randomElement(using: &random) ?? [])
            }
            let removed = (0..<(round % 70 == 0 ? 90 : 1)).map { _ in
                NoteID("n\(Int.random(in: 0..<150, using: &random))")
            }
            try driver.changeNotes(changed, removed: removed)
            for note in changed { model[note.id] = note }
            for id in removed { model[id] = nil }
            let sorted = model.values.sorted {
                $0.pinned == $1.pinned ? ($1.modified, $0.id) < ($0.modified, $1.id) : $0.pinned
            }
            #expect(Array(driver.state.notes.list.inOrder) == sorted)
            let tags = model.values.filter { !$0.deleted }.flatMap(\.tags)
            #expect(driver.state.notes.list.tags == Dictionary(tags.map { ($0, 1) }, uniquingKeysWith: +))
        }
    }

    @Test func thereIsAnEndToWhatIsKept() throws {
        var driver = try TestDriver()
        driver.keepsStates = false
        let many = (0..<100_050).map {
            ListedNote(
                id: NoteID("n\($0)"), title: "", created: .init(milliseconds: 0), modified: .init(milliseconds: 0))
        }
        try driver.listNotes(many)
        #expect(driver.state.notes.list.count == NotebookLimits.notes)
        let long = ListedNote.groceries.with {
            $0.title = String(repeating: "x", count: 10_000) + "\n\u{202E}"
            $0.tags = (0..<1000).map { "t\($0)" }
        }
        try driver.listNotes([long])
        try driver.event(.notesListed(effect: try driver.waiting(\.opensNotes), notes: [long], folders: []))
        let kept = try #require(driver.state.notes.list["groceries"])
        #expect(kept.title.utf8.count == NotebookLimits.titleBytes)
        #expect(kept.tags.count == NotebookLimits.tags)
    }

    @Test func aLongListIsShownInSteps() throws {
        var driver = try TestDriver()
        driver.keepsStates = false
        let many = (0..<450).map {
            ListedNote(
                id: NoteID("n\($0)"), title: "\($0)", created: .init(milliseconds: 0), modified: .init(milliseconds: 0))
        }
        try driver.listNotes(many)
        for shown in [200, 400, 450] {
            #expect(driver.tree.find("notes.list")?.children.count == shown)
            if shown < 450 { try driver.tap("notes.more") }
        }
        #expect(driver.tree.find("notes.more") == nil)
        try driver.notes(.filterNotes(filter: NotebookFilter(.deleted)))
        #expect(driver.tree.find("notes.list") == nil)
        try driver.tap("notes.filter.all")
        #expect(driver.tree.find("notes.list")?.children.count == 200)
    }

    @Test(arguments: [
        (NotebookFilter(.all), ["plans", "groceries"]), (NotebookFilter(.folder, folder: "home"), ["groceries"]),
        (NotebookFilter(.folder), ["plans"]), (NotebookFilter(.tag, tag: "shop"), ["groceries"]),
        (NotebookFilter(.tag, tag: "none"), []), (NotebookFilter(.deleted), ["old"]),
        // Not possible: the list stays as it was.
        (NotebookFilter(.folder, folder: "nowhere"), ["plans", "groceries"]),
        (NotebookFilter(.tag), ["plans", "groceries"]),
    ]) func theFilterFilters(filter: NotebookFilter, ids: [String]) throws {
        var driver = try TestDriver()
        let old = ListedNote.plans.with { _ in }.as("old").with { $0.deleted = true }
        try driver.listNotes([.groceries, .plans, old])
        try driver.notes(.filterNotes(filter: filter))
        let shown = driver.tree.find("notes.list")?.children.map(\.id) ?? []
        #expect(shown == ids.map { "note.\($0)" })
    }

    @Test func aFolderThatIsShownAndGoesLeavesEverything() throws {
        var driver = try TestDriver()
        try driver.listNotes()
        try driver.notes(.filterNotes(filter: NotebookFilter(.folder, folder: "home")))
        try driver.event(.foldersChanged(effect: try driver.waiting(\.opensNotes), folders: []))
        #expect(driver.state.views.main.notes.filter == NotebookFilter(.all))
    }

    @Test func onlyTheLastSearchCounts() throws {
        var driver = try TestDriver()
        try driver.listNotes()
        try driver.notes(.searchNotes(query: "mi"))
        let first = try driver.waiting(\.isSearching)
        try driver.notes(.searchNotes(query: "milk"))
        let second = try driver.waiting(\.isSearching)
        try driver.event(
            .notesFound(effect: second, results: [NoteHit(note: "groceries", title: "Groceries", snippet: "Milk")]))
        try driver.event(.notesFound(effect: first, results: []))
        #expect(driver.state.views.main.notes.search.results?.map(\.note) == ["groceries"])
        #expect(driver.tree.find("hit.groceries") != nil)
        try driver.notes(.searchNotes(query: " "))
        #expect(driver.effects.isEmpty)
        #expect(driver.state.views.main.notes.search.results == nil)
        #expect(driver.tree.find("notes.list") != nil)
    }

    @Test(
        arguments: [
            ([("a", "b"), ("b", "a")], ["a": nil, "b": "a"]),
            ([("a", "a")], ["a": nil]),
            ([("a", "gone")], ["a": nil]),
            ([("c", "b"), ("b", "a"), ("a", nil)], ["a": nil, "b": "a", "c": "b"]),
            ([("a", nil), ("a", "b"), ("b", nil)], ["a": nil, "b": nil]),
            ([("x", nil), ("a", "c"), ("b", "a"), ("c", "b")], ["x": nil, "a": nil, "b": "a", "c": "b"]),
        ] as [([(String, String?)], [String: String?])])
    func foldersAreATreeWhateverTheirParentsSay(told: [(String, String?)], parents: [String: String?]) throws {
        var driver = try TestDriver()
        let folders = told.map { ListedFolder(id: FolderID($0.0), name: $0.0, parent: $0.1.map { FolderID($0) }) }
        try driver.listNotes([], folders: folders)
        let entries = driver.state.notes.folders.inOrder
        #expect(Dictionary(uniqueKeysWithValues: entries.map { ($0.folder.id.text, $0.parent?.text) }) == parents)
    }

    @Test func aDeepChainOfFoldersIsShown() throws {
        var driver = try TestDriver()
        driver.keepsStates = false
        let folders = (0..<NotebookLimits.folders + 5).map {
            ListedFolder(id: FolderID("f\($0)"), name: "folder", parent: $0 == 0 ? nil : FolderID("f\($0 - 1)"))
        }
        try driver.listNotes([], folders: folders.reversed())
        #expect(driver.state.notes.folders.inOrder.count == NotebookLimits.folders)
        #expect(driver.state.notes.folders.inOrder.allSatisfy { $0.path.utf8.count <= NotebookLimits.pathBytes })
    }

    @Test func whileLockedNothingOfNotesIsInReach() throws {
        var driver = try TestDriver()
        try driver.writeGroceries()
        try driver.app(.setPassphrase(passphrase: "p", current: nil))
        try driver.event(
            .effectDone(effect: try driver.waiting { if case .setPassphrase = $0 { true } else { false } }))
        try driver.app(.lock)
        #expect(driver.asked { $0 == .closeNotes })
        let state = String(decoding: try JSON.encode(driver.state), as: UTF8.self)
        #expect(!state.contains("Groceries"))
        #expect(!driver.text.contains("Groceries"))
        for action in [NoteAction.openNotes, .openNote(note: "groceries"), .editNote(text: "x")] {
            try driver.notes(action)
            #expect(driver.effects.isEmpty)
            #expect(driver.tree.id == "lock")
        }
    }
}

extension ListedNote {
    fileprivate func `as`(_ id: NoteID) -> ListedNote {
        ListedNote(id: id, title: title, created: created, modified: modified)
    }
}

import AppCore
import Testing

/// The list of notes, its folders, its filter, and the search.
@Suite struct NotebookTests {
    @Test func theListComesAndChanges() throws {
        var stage = try Stage()
        try stage.notes(.openNotes)
        #expect(stage.state.notes.sync == .opening)
        let opening = try stage.waiting(\.opensNotes)
        try stage.event(.notesListed(effect: opening, notes: [.groceries, .plans], folders: .some))
        #expect(stage.state.notes.sync == .ready)
        #expect(Array(stage.state.notes.list.inOrder.map(\.id)) == ["plans", "groceries"])
        try stage.changeNotes([.groceries.with { $0.pinned = true }], removed: ["plans"])
        #expect(Array(stage.state.notes.list.inOrder.map(\.id)) == ["groceries"])
        try stage.event(.notesSyncChanged(effect: opening, remaining: 3, failure: nil))
        #expect(stage.state.notes.sync == .catchingUp(remaining: 3))
        let failure = Failure(.folderUnwritable)
        try stage.event(.notesSyncChanged(effect: opening, remaining: -1, failure: failure))
        #expect(stage.state.notes.sync == .problem(failure))
        #expect(stage.disk.keys.allSatisfy { !$0.contains("groceries") })
    }

    @Test func openingTwiceAsksOnce() throws {
        var stage = try Stage()
        try stage.notes(.openNotes)
        try stage.notes(.openNotes)
        #expect(stage.effects.isEmpty)
        try stage.app(.back)
        try stage.app(.navigate(to: Screen(.folders)))
        #expect(stage.open.count(where: { $0.kind.opensNotes }) == 1)
    }

    @Test func whatAnOldOpeningSaysIsNotHeard() throws {
        var stage = try Stage()
        try stage.listNotes()
        let old = try stage.waiting(\.opensNotes)
        try stage.notes(.closeNotes)
        #expect(stage.effects == [.closeNotes])
        #expect(stage.state.notes == Notebook())
        #expect(stage.tree.id == "rooms")
        try stage.notes(.openNotes)
        try stage.event(.notesListed(effect: old, notes: [.groceries], folders: []))
        try stage.event(.notesChanged(effect: old, notes: [.groceries], removed: []))
        try stage.event(.foldersChanged(effect: old, folders: .some))
        try stage.event(.notesSyncChanged(effect: old, remaining: 2, failure: nil))
        #expect(stage.state.notes.list.isEmpty)
        #expect(stage.state.notes.sync == .opening)
    }

    @Test func aFolderThatIsAwayIsTriedAgain() throws {
        var stage = try Stage()
        try stage.notes(.openNotes)
        try stage.fail(try stage.waiting(\.opensNotes), Failure(.folderUnavailable, retryable: true, retryAfter: 5000))
        #expect(!stage.state.notes.isOpen)
        try stage.pass(seconds: 4)
        #expect(!stage.asked(\.opensNotes))
        try stage.pass(seconds: 2)
        #expect(stage.asked(\.opensNotes))
        try stage.fail(try stage.waiting(\.opensNotes), Failure(.folderUnavailable))
        try stage.pass(seconds: 3600)
        #expect(!stage.state.notes.isOpen)
        try stage.tap("notes.retry")
        #expect(stage.asked(\.opensNotes))
    }

    @Test func theOrderIsThatOfASortedList() throws {
        var stage = try Stage()
        stage.keepsStates = false
        try stage.listNotes([])
        var random = SeededGenerator(seed: 3)
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
            try stage.changeNotes(changed, removed: removed)
            for note in changed { model[note.id] = note }
            for id in removed { model[id] = nil }
            let sorted = model.values.sorted {
                $0.pinned == $1.pinned ? ($1.modified, $0.id) < ($0.modified, $1.id) : $0.pinned
            }
            #expect(Array(stage.state.notes.list.inOrder) == sorted)
            let tags = model.values.filter { !$0.deleted }.flatMap(\.tags)
            #expect(stage.state.notes.list.tags == Dictionary(tags.map { ($0, 1) }, uniquingKeysWith: +))
        }
    }

    @Test func thereIsAnEndToWhatIsKept() throws {
        var stage = try Stage()
        stage.keepsStates = false
        let many = (0..<100_050).map {
            ListedNote(
                id: NoteID("n\($0)"), title: "", created: .init(milliseconds: 0), modified: .init(milliseconds: 0))
        }
        try stage.listNotes(many)
        #expect(stage.state.notes.list.count == NotebookLimits.notes)
        let long = ListedNote.groceries.with {
            $0.title = String(repeating: "x", count: 10_000) + "\n\u{202E}"
            $0.tags = (0..<1000).map { "t\($0)" }
        }
        try stage.listNotes([long])
        try stage.event(.notesListed(effect: try stage.waiting(\.opensNotes), notes: [long], folders: []))
        let kept = try #require(stage.state.notes.list["groceries"])
        #expect(kept.title.utf8.count == NotebookLimits.titleBytes)
        #expect(kept.tags.count == NotebookLimits.tags)
    }

    @Test func aLongListIsShownInSteps() throws {
        var stage = try Stage()
        stage.keepsStates = false
        let many = (0..<450).map {
            ListedNote(
                id: NoteID("n\($0)"), title: "\($0)", created: .init(milliseconds: 0), modified: .init(milliseconds: 0))
        }
        try stage.listNotes(many)
        for shown in [200, 400, 450] {
            #expect(stage.tree.find("notes.list")?.children.count == shown)
            if shown < 450 { try stage.tap("notes.more") }
        }
        #expect(stage.tree.find("notes.more") == nil)
        try stage.notes(.filterNotes(filter: NotebookFilter(.deleted)))
        #expect(stage.tree.find("notes.list") == nil)
        try stage.tap("notes.filter.all")
        #expect(stage.tree.find("notes.list")?.children.count == 200)
    }

    @Test(arguments: [
        (NotebookFilter(.all), ["plans", "groceries"]), (NotebookFilter(.folder, folder: "home"), ["groceries"]),
        (NotebookFilter(.folder), ["plans"]), (NotebookFilter(.tag, tag: "shop"), ["groceries"]),
        (NotebookFilter(.tag, tag: "none"), []), (NotebookFilter(.deleted), ["old"]),
        // Not possible: the list stays as it was.
        (NotebookFilter(.folder, folder: "nowhere"), ["plans", "groceries"]),
        (NotebookFilter(.tag), ["plans", "groceries"]),
    ]) func theFilterFilters(filter: NotebookFilter, ids: [String]) throws {
        var stage = try Stage()
        let old = ListedNote.plans.with { _ in }.as("old").with { $0.deleted = true }
        try stage.listNotes([.groceries, .plans, old])
        try stage.notes(.filterNotes(filter: filter))
        let shown = stage.tree.find("notes.list")?.children.map(\.id) ?? []
        #expect(shown == ids.map { "note.\($0)" })
    }

    @Test func aFolderThatIsShownAndGoesLeavesEverything() throws {
        var stage = try Stage()
        try stage.listNotes()
        try stage.notes(.filterNotes(filter: NotebookFilter(.folder, folder: "home")))
        try stage.event(.foldersChanged(effect: try stage.waiting(\.opensNotes), folders: []))
        #expect(stage.state.notes.filter == NotebookFilter(.all))
    }

    @Test func onlyTheLastSearchCounts() throws {
        var stage = try Stage()
        try stage.listNotes()
        try stage.notes(.searchNotes(query: "mi"))
        let first = try stage.waiting(\.isSearching)
        try stage.notes(.searchNotes(query: "milk"))
        let second = try stage.waiting(\.isSearching)
        try stage.event(
            .notesFound(effect: second, results: [NoteHit(note: "groceries", title: "Groceries", snippet: "Milk")]))
        try stage.event(.notesFound(effect: first, results: []))
        #expect(stage.state.notes.search.results?.map(\.note) == ["groceries"])
        #expect(stage.tree.find("hit.groceries") != nil)
        try stage.notes(.searchNotes(query: " "))
        #expect(stage.effects.isEmpty)
        #expect(stage.state.notes.search.results == nil)
        #expect(stage.tree.find("notes.list") != nil)
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
        var stage = try Stage()
        let folders = told.map { ListedFolder(id: FolderID($0.0), name: $0.0, parent: $0.1.map { FolderID($0) }) }
        try stage.listNotes([], folders: folders)
        let entries = stage.state.notes.folders.inOrder
        #expect(Dictionary(uniqueKeysWithValues: entries.map { ($0.folder.id.text, $0.parent?.text) }) == parents)
    }

    @Test func aDeepChainOfFoldersIsShown() throws {
        var stage = try Stage()
        stage.keepsStates = false
        let folders = (0..<NotebookLimits.folders + 5).map {
            ListedFolder(id: FolderID("f\($0)"), name: "folder", parent: $0 == 0 ? nil : FolderID("f\($0 - 1)"))
        }
        try stage.listNotes([], folders: folders.reversed())
        #expect(stage.state.notes.folders.inOrder.count == NotebookLimits.folders)
        #expect(stage.state.notes.folders.inOrder.allSatisfy { $0.path.utf8.count <= NotebookLimits.pathBytes })
    }

    @Test func whileLockedNothingOfNotesIsInReach() throws {
        var stage = try Stage()
        try stage.writeGroceries()
        try stage.app(.setPassphrase(passphrase: "p", current: nil))
        try stage.event(.effectDone(effect: try stage.waiting { if case .setPassphrase = $0 { true } else { false } }))
        try stage.app(.lock)
        #expect(stage.asked { $0 == .closeNotes })
        let state = String(decoding: try JSON.encode(stage.state), as: UTF8.self)
        #expect(!state.contains("Groceries"))
        #expect(!stage.text.contains("Groceries"))
        for action in [NoteAction.openNotes, .openNote(note: "groceries"), .editNote(text: "x")] {
            try stage.notes(action)
            #expect(stage.effects.isEmpty)
            #expect(stage.tree.id == "lock")
        }
    }
}

extension ListedNote {
    fileprivate func `as`(_ id: NoteID) -> ListedNote {
        ListedNote(id: id, title: title, created: created, modified: modified)
    }
}

import AppCore

// Notes, with a folder and other people that do what they like.

extension WalkRun {
    mutating func answerAboutNotes(_ effect: Effect) throws {
        switch effect.kind {
        case .openNotes where chance(30):
            try tell(.notesListed(effect: effect.id, notes: [anyNote(), anyNote()], folders: anyFolders()))
        case .openNotes where chance(50):
            let isGone = chance(20)
            try tell(
                .notesChanged(
                    effect: effect.id, notes: isGone ? [] : [anyNote()], removed: isGone ? [anyNote().id] : []))
        case .openNotes where chance(70): try tell(.foldersChanged(effect: effect.id, folders: anyFolders()))
        case .openNotes where chance(90):
            let failure = chance(30) ? Failure(.folderUnwritable) : nil
            let remaining = Int.random(in: -1...9, using: &random)
            try tell(.notesSyncChanged(effect: effect.id, remaining: remaining, failure: failure))
        case .readNote where chance(95):
            let spans = [NoteSpan(text: "Groceries\n"), NoteSpan(text: chance(50) ? "Milk" : "", author: "Ben")]
            let revision = "told-\(UInt8.random(in: 0...9, using: &random))"
            try tell(.noteText(effect: effect.id, revision: revision, spans: spans))
        case .writeNote: try tell(.noteWritten(effect: effect.id, revision: "written"))
        case .searchNotes:
            try tell(.notesFound(effect: effect.id, results: [NoteHit(note: anyNote().id, title: "", snippet: "x")]))
        case .followNote where chance(90): try tell(.noteDetails(effect: effect.id, details: anyDetails()))
        case .listVersions:
            let versions = [Int64(1), 2].map { step in
                let time = simulation.now.advanced(byMilliseconds: -60_000 * step)
                return NoteVersion(start: time, end: time, changes: Int(step), authors: chance(50) ? ["Ben"] : [])
            }
            try tell(.versionsListed(effect: effect.id, versions: versions))
        case .packNotes: try tell(.notesPacked(effect: effect.id, handle: "notes", name: "Notes.zip", bytes: 1000))
        case .exportNotes: try tell(.notesExported(effect: effect.id, path: "Exported notes", count: 3))
        case .importNote: try tell(.notesImported(effect: effect.id, count: 1))
        case .readVersion: try tell(.versionRead(effect: effect.id, text: "Groceries\nEggs"))
        default: try tell(.effectDone(effect: effect.id))
        }
    }

    private mutating func anyDetails() -> NoteDetails {
        let comment = NoteComment(
            id: chance(50) ? "c1" : "c2", author: chance(50) ? "Ben" : "", text: "Oat milk?", quote: "Milk",
            at: simulation.now, own: chance(40), edited: chance(20) ? simulation.now : nil, resolved: chance(30),
            replies: chance(50) ? [anyAnswer()] : [])
        return NoteDetails(
            links: [anyNote().id], backlinks: [anyNote().id, anyNote().id], comments: chance(70) ? [comment] : [])
    }

    private mutating func anyAnswer() -> NoteComment.Reply {
        NoteComment.Reply(
            id: "r1", author: "You", text: "Yes", at: simulation.now, own: chance(70),
            edited: chance(20) ? simulation.now : nil)
    }

    private mutating func anyNote() -> ListedNote {
        let known = simulation.world.notes.order + ["n1", "n2"]
        return ListedNote(
            id: known.randomElement(using: &random) ?? "n1", title: chance(80) ? "Groceries" : "",
            folder: chance(30) ? "f1" : nil, created: simulation.now, modified: simulation.now, deleted: chance(20),
            pinned: chance(20), tags: chance(30) ? ["shop"] : [], problem: chance(10) ? .noteUnreadable : nil)
    }

    /// Two folders, sometimes one in the other, sometimes each in the other.
    private mutating func anyFolders() -> [ListedFolder] {
        [
            ListedFolder(id: "f1", name: "Work", parent: chance(30) ? "f2" : nil),
            ListedFolder(id: "f2", name: "", parent: chance(30) ? "f1" : nil),
        ]
    }

    mutating func haveThePeerShare(_ room: RoomID) throws {
        let note = anyNote()
        switch Int.random(in: 0..<6, using: &random) {
        case 0: try simulation.change { $0.peerShares(note.id, title: "Shared", in: room) }
        case 1: try simulation.change { $0.peerStopsSharing(note.id, in: room) }
        case 2: try tell(.noteOffered(room: room, note: note.id, title: "Shared", adopted: chance(50)))
        case 3:
            let state = NoteShare.State.allCases.randomElement(using: &random) ?? .live
            try tell(.noteSharingChanged(room: room, note: note.id, state: state))
        case 4:
            let folder = NotesSettings.Folder.allCases.randomElement(using: &random) ?? .writable
            try simulation.change { $0.setFolder(folder) }
        default:
            let text = chance(50) ? "Groceries\nEggs #shop" : "Plans for Ann"
            try simulation.change { $0.merge(text, into: note.id, by: "Ben") }
        }
    }
}

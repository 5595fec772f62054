internal import CRDTBridge
internal import NoteFiles
internal import NoteIndex
internal import Wire

extension NoteLibrary {
    /// The tree of folders. Those that are deleted, or are in a deleted or missing one, are not in it.
    package func folders() async throws(NoteFailure) -> [NoteFolder] {
        NoteFolder.all(in: try folderTree())
    }

    /// The folder with this id, or the only one with this name.
    package func folder(_ reference: String) async throws(NoteFailure) -> NoteFolder {
        let tree = try folderTree()
        if tree.isVisible(reference), let folder = tree[reference] { return NoteFolder(folder, in: tree) }
        let named = tree.folders.filter { $0.name.lowercased() == reference.lowercased() && tree.isVisible($0.id) }
        guard let folder = named.first, named.count == 1 else {
            throw NoteFailure(
                .folderUnknown,
                named.isEmpty
                    ? "there is no folder “\(reference)” here: `alcove folder list` shows those that are"
                    : "“\(reference)” is the name of several folders: give the id of one of them, "
                        + named.map(\.id).joined(separator: " or "))
        }
        return NoteFolder(folder, in: tree)
    }

    /// - Parameter id: the id that it gets; a folder that has it already is returned.
    @discardableResult
    package func createFolder(
        _ name: String, in parent: String? = nil, id: String? = nil
    ) async throws(NoteFailure) -> NoteFolder {
        let name = try Self.line(name)
        if let parent { try checkFolder(parent) }
        let folder = try NoteFailure.wrapping { try NoteID(id ?? CompactID.random().description) }.text
        let tree = try folderTree()
        if let known = tree[folder] { return NoteFolder(known, in: tree) }
        let directory = directoryID
        try commitFolders { bridge, tree in
            try bridge.addFolder(folder, named: name, in: parent, directory: directory, to: tree)
        }
        return NoteFolder(id: folder, name: name, parent: parent)
    }

    package func renameFolder(_ folder: String, to name: String) async throws(NoteFailure) {
        let name = try Self.line(name)
        try checkFolder(folder)
        try commitFolders { try $0.renameFolder(folder, to: name, in: $1) }
    }

    /// - Parameter parent: nil brings it to the top.
    package func moveFolder(_ folder: String, to parent: String?) async throws(NoteFailure) {
        try checkFolder(folder)
        if let parent { try checkFolder(parent) }
        try commitFolders { try $0.moveFolder(folder, into: parent, in: $1) }
    }

    package func deleteFolder(_ folder: String, _ mode: FolderDeletion) async throws(NoteFailure) {
        try checkFolder(folder)
        let tree = try folderTree()
        let parent = tree[folder]?.parent
        let emptied =
            switch mode {
            case .simple: [String]()
            case .cascade: [folder] + tree.descendants(of: folder).map(\.id)
            case .reparent: [folder]
            }
        // The notes first: if this is interrupted, no note is in a folder that is gone.
        for place in emptied {
            for note in try indexed({ try $0.notes(NoteFilter(.folder(place))) }) {
                try await move(note.id, to: parent)
            }
        }
        try commitFolders { try $0.deleteFolder(folder, FolderDeletionMode(mode), in: $1) }
    }

    // What the others stand on.

    func checkFolder(_ folder: String) throws(NoteFailure) {
        guard let known = try folderTree()[folder], !known.isDeleted else {
            throw NoteFailure(
                .folderUnknown, "there is no folder “\(folder)” here: `alcove folder list` shows those that are")
        }
    }

    func folderTree() throws(NoteFailure) -> FolderTree {
        try checkOpen()
        try readFolders()
        return try crdt { try $0.folders(of: DocumentID.folderTree.key) }
    }

    /// Takes in what is new in the logs of the folder tree.
    func readFolders() throws(NoteFailure) {
        for _ in 0..<Self.indexingLimit {
            guard try refresh(.folderTree).isNews else { return tellOfFolders() }
            if try publishFolders() { return }
        }
        // Others tell the index all the time; the last of them has it right.
        documents[.folderTree]?.indexed = [:]
        catchUpLater()
    }

    private func commitFolders(_ make: @Sendable (isolated CRDTBridge, String) throws -> [UInt8]?) throws(NoteFailure) {
        let tree = DocumentID.folderTree
        do {
            guard let update = try crdt({ try make($0, tree.key) }) else { return }
            let writer = try writer()
            _ = try NoteFailure.wrapping { try writer.append(update, to: tree) }
        } catch {
            forgetOpen(tree)
            throw error
        }
        // The files have it, so what fails now is only told, and it is tried again.
        doWithout("folders") { () throws(NoteFailure) in try readFolders() }
        if let failure = missing["folders"] { tell(.problem(failure)) }
    }

    /// - Returns: false if another process has told the index of the folders since they were read: they are to be read again.
    private func publishFolders() throws(NoteFailure) -> Bool {
        let tree = DocumentID.folderTree
        guard let open = documents[tree] else { return true }
        let folders = try crdt { try $0.folders(of: tree.key) }.folders.map { folder in
            IndexedFolder(
                id: folder.id, name: folder.name, parent: folder.parent,
                order: Int64(exactly: folder.order.rounded()) ?? 0,
                isDeleted: folder.isDeleted)
        }
        let state = try stateToStore(of: tree, open, after: 0)
        let marks = open.reached.marks
        let isWritten = try writeIndex { writer in
            guard try writer.reader.marks(of: tree) == open.indexed else { return false }
            try writer.setFolders(folders)
            if let state { try writer.setFolderState(state) }
            try writer.setMarks(marks, of: tree, instead: open.indexed)
            return true
        }
        if isWritten {
            documents[tree]?.wasIndexed(marks, isStored: state != nil)
            _ = told.update(tree, .read(marks))
            broadcast.send(.folders)
        } else {
            documents[tree]?.indexed = try indexedMarks(of: tree)
        }
        return isWritten
    }
}

extension FolderDeletionMode {
    fileprivate init(_ deletion: FolderDeletion) {
        self =
            switch deletion {
            case .simple: .simple
            case .cascade: .cascade
            case .reparent: .reparent
            }
    }
}

internal import RichText
internal import ScriptEngine

/// What becomes of what is in a folder that is deleted.
public enum FolderDeletionMode: Hashable, Sendable, CaseIterable {
    /// Only the folder is flagged; what is in it is out of sight.
    case simple
    /// The folders below are flagged too.
    case cascade
    /// The folders right in it go to its parent.
    case reparent
}

/// A folder tree is a document like a note, under an id of the caller's choice.
extension CRDTBridge {
    /// The folders of a folder tree.
    public func folders(of id: String) throws(CRDTError) -> FolderTree {
        var json = try json(try call(.folders, on: id), of: id)
        var folders: [Folder] = []
        try read(id) { () throws(JSONCursor.Malformed) in
            try json.array { cursor throws(JSONCursor.Malformed) in
                if let folder = Folder(try cursor.object()) { folders.append(folder) }
            }
        }
        return FolderTree(folders)
    }

    /// Adds a folder behind its siblings.
    ///
    /// - Parameters:
    ///   - folder: the new folder's id.
    ///   - name: the name to show.
    ///   - parent: nil for the top.
    ///   - directory: the id of the storage directory.
    ///   - id: the document of the folder tree.
    /// - Returns: the update.
    public func addFolder(
        _ folder: String, named name: String, in parent: String?, directory: String, to id: String
    ) throws(CRDTError) -> [UInt8]? {
        let tree = try folders(of: id)
        guard tree[folder] == nil else { throw CRDTError(.misfit, "\(id): there is a folder \(folder) already") }
        if let parent { _ = try existing(parent, in: tree, of: id) }
        let order = (tree.children(of: parent).map(\.order).max() ?? -1) + 1
        return try set(
            [
                (
                    folder,
                    [
                        "id": .string(folder), "name": .string(name),
                        "parentId": parent.map(RichText.Value.string) ?? .null,
                        "sdId": .string(directory), "order": .number(order), "deleted": false,
                    ]
                )
            ], in: id)
    }

    /// - Returns: the update; nil if it has the name already.
    public func renameFolder(_ folder: String, to name: String, in id: String) throws(CRDTError) -> [UInt8]? {
        _ = try existing(folder, in: try folders(of: id), of: id)
        return try set([(folder, ["name": .string(name)])], in: id)
    }

    /// Moves a folder into another, or with nil to the top, behind those that are there. A folder does not go into itself.
    public func moveFolder(_ folder: String, into parent: String?, in id: String) throws(CRDTError) -> [UInt8]? {
        let tree = try folders(of: id)
        _ = try existing(folder, in: tree, of: id)
        if let parent {
            _ = try existing(parent, in: tree, of: id)
            guard parent != folder, !tree.ancestors(of: parent).contains(where: { $0.id == folder }) else {
                throw CRDTError(.wouldBeCycle, "\(id): the folder \(folder) cannot be moved into itself")
            }
        }
        let order = (tree.children(of: parent).filter { $0.id != folder }.map(\.order).max() ?? -1) + 1
        let values: Fields = ["parentId": parent.map(RichText.Value.string) ?? .null, "order": .number(order)]
        return try set([(folder, values)], in: id)
    }

    /// Moves a folder to a place among its siblings, which are numbered anew from 0.
    public func reorderFolder(_ folder: String, to index: Int, in id: String) throws(CRDTError) -> [UInt8]? {
        let tree = try folders(of: id)
        let moved = try existing(folder, in: tree, of: id)
        var siblings = tree.children(of: moved.parent).map(\.id).filter { $0 != folder }
        siblings.insert(folder, at: min(max(0, index), siblings.count))
        return try set(siblings.enumerated().map { ($1, ["order": .number(Double($0))]) }, in: id)
    }

    /// Deletes a folder: it is flagged, and can come back. Its notes are the caller's to move.
    public func deleteFolder(
        _ folder: String, _ mode: FolderDeletionMode, in id: String
    ) throws(CRDTError) -> [UInt8]? {
        let tree = try folders(of: id)
        let deleted = try existing(folder, in: tree, of: id)
        var changes: [(String, Fields)] = [(folder, ["deleted": true])]
        switch mode {
        case .simple: break
        case .cascade: changes += tree.descendants(of: folder).map { ($0.id, ["deleted": true]) }
        case .reparent:
            let parent = deleted.parent.map(RichText.Value.string) ?? .null
            changes += tree.children(of: folder).map { ($0.id, ["parentId": parent]) }
        }
        return try set(changes, in: id)
    }

    private typealias Fields = [String: RichText.Value]

    private func existing(_ folder: String, in tree: FolderTree, of id: String) throws(CRDTError) -> Folder {
        guard let found = tree[folder], !found.isDeleted else {
            throw CRDTError(.notFound, "\(id): there is no folder \(folder)")
        }
        return found
    }

    /// Sets fields of folders in one transaction.
    private func set(_ changes: [(String, Fields)], in id: String) throws(CRDTError) -> [UInt8]? {
        var json = JSONText()
        json.array(changes) { json, change in
            json.raw("[")
            json.string(change.0)
            json.raw(",")
            json.object(change.1)
            json.raw("]")
        }
        return try update(try call(.setFolders, on: id, json.text), of: id)
    }
}

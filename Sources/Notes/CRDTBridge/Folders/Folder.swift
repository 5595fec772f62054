internal import RichText

/// A folder as the folder tree has it. Its parent may be missing, deleted, or below it.
public struct Folder: Hashable, Sendable, Identifiable {
    public var id: String
    /// The name to show.
    public var name: String
    /// Nil at the top.
    public var parent: String?
    /// Where it stands among its siblings.
    public var order: Double
    /// Whether the folder is in the trash.
    public var isDeleted: Bool

    init?(_ fields: [String: RichText.Value]) {
        guard let id = fields["id"]?.string else { return nil }
        self.id = id
        name = fields["name"]?.string ?? ""
        parent = fields["parentId"]?.string
        order = fields["order"]?.number ?? 0
        isDeleted = fields["deleted"]?.bool ?? false
    }
}

/// Where folders are in each other, whatever two devices did at once.
public struct FolderTree: Hashable, Sendable {
    /// All folders, deleted ones too: siblings by order, then by name without case, then by id.
    public let folders: [Folder]
    private let byID: [String: Folder]

    init(_ folders: [Folder]) {
        self.folders = folders.sorted {
            ($0.order, $0.name.lowercased(), $0.id) < ($1.order, $1.name.lowercased(), $1.id)
        }
        byID = Dictionary(folders.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    }

    /// The folder with this id, also a deleted one; nil if there is none.
    public subscript(id: String) -> Folder? { byID[id] }

    /// The folders above one, nearest first. Ends where a parent is missing, or where a circle would close.
    public func ancestors(of id: String) -> [Folder] {
        var ancestors: [Folder] = []
        var seen: Set<String> = [id]
        var parent = byID[id]?.parent
        while let above = parent, seen.insert(above).inserted, let folder = byID[above] {
            ancestors.append(folder)
            parent = folder.parent
        }
        return ancestors
    }

    /// Whether a folder is shown: it and all above it are there and not deleted, and lead to the top.
    public func isVisible(_ id: String) -> Bool {
        guard let folder = byID[id] else { return false }
        let path = [folder] + ancestors(of: id)
        return path.allSatisfy { !$0.isDeleted } && path.last?.parent == nil
    }

    /// The folders right in one that are not deleted, or with nil those at the top.
    public func children(of id: String?) -> [Folder] { folders.filter { $0.parent == id && !$0.isDeleted } }

    /// All folders below one that are not deleted.
    public func descendants(of id: String) -> [Folder] {
        var found: [Folder] = []
        var seen: Set<String> = [id]
        var waiting = [id]
        while let next = waiting.popLast() {
            for child in children(of: next) where seen.insert(child.id).inserted {
                found.append(child)
                waiting.append(child.id)
            }
        }
        return found
    }
}

internal import CRDTBridge

/// Trees of folders come from other devices, so they are as deep and as crooked as somebody wants them to be. They are put together
/// without recursion, and never get deeper than those who go through them can bear.
extension NoteFolder {
    /// Folders in folders. What lies deeper is shown beside the deepest folder that it is in.
    static let depthLimit = 64

    /// The folders at the top, each with what is in it.
    static func all(in tree: FolderTree) -> [NoteFolder] { nested(tree.children(of: nil), in: tree) }

    /// With what is in it, as far as that is shown and does not go in circles.
    init(_ folder: Folder, in tree: FolderTree) {
        self.init(id: folder.id, name: folder.name, parent: folder.parent)
        if tree.isVisible(id) { folders = Self.nested([folder], in: tree).flatMap(\.folders) }
    }

    private static func nested(_ top: [Folder], in tree: FolderTree) -> [NoteFolder] {
        let children = Dictionary(grouping: tree.folders.filter { !$0.isDeleted }, by: \.parent)
        // Each comes after the one that it is shown in.
        var places = top.map { (folder: $0, holder: Int?.none, depth: 1) }
        var seen = Set(top.map(\.id))
        var next = 0
        while next < places.count {
            let place = places[next]
            let isDeepest = place.depth >= depthLimit
            for child in children[place.folder.id] ?? [] where seen.insert(child.id).inserted {
                places.append((child, isDeepest ? place.holder : next, isDeepest ? place.depth : place.depth + 1))
            }
            next += 1
        }
        var contents = Array(repeating: [NoteFolder](), count: places.count)
        var roots: [NoteFolder] = []
        for (index, place) in places.enumerated().reversed() {
            let folder = NoteFolder(
                id: place.folder.id, name: place.folder.name, parent: place.folder.parent,
                folders: contents[index].reversed())
            contents[index] = []
            if let holder = place.holder { contents[holder].append(folder) } else { roots.append(folder) }
        }
        return roots.reversed()
    }
}

/// The folders of notes, as a tree whatever their parents say.
///
/// A folder whose parent is unknown stands at the top. In a circle of parents, which two devices can make by moving at the
/// same time, the folder that was told first stands at the top.
package struct FolderTree: Sendable, Hashable {
    /// As the host told them, siblings in their order.
    private let told: [ListedFolder]
    /// Every folder once, depth first.
    package let inOrder: [Entry]
    private let places: [FolderID: Int]

    /// A folder, and where it is.
    package struct Entry: Sendable, Hashable {
        package let folder: ListedFolder
        /// The folder above, if it is known.
        package let parent: FolderID?
        /// The names on the way down to it: `Work › Projects`.
        package let path: String
        /// In how many others it is.
        package let level: Int
    }

    package init() { self.init([]) }

    init(_ folders: [ListedFolder]) {
        var known: Set<FolderID> = []
        told = folders.prefix(NotebookLimits.folders).filter { known.insert($0.id).inserted }.map(\.fitted)
        var children: [FolderID?: [ListedFolder]] = [:]
        for folder in told {
            children[folder.parent.flatMap { known.contains($0) ? $0 : nil }, default: []].append(folder)
        }
        var entries: [Entry] = []
        var places: [FolderID: Int] = [:]
        // What no way down from the top reaches is in circles.
        for top in (children[nil] ?? []) + told {
            var waiting = [Entry(folder: top, parent: nil, path: top.title, level: 0)]
            while let entry = waiting.popLast() {
                guard places[entry.folder.id] == nil else { continue }
                places[entry.folder.id] = entries.count
                entries.append(entry)
                for child in (children[entry.folder.id] ?? []).reversed() {
                    let path = "\(entry.path) › \(child.title)".limited(to: NotebookLimits.pathBytes)
                    waiting.append(Entry(folder: child, parent: entry.folder.id, path: path, level: entry.level + 1))
                }
            }
        }
        inOrder = entries
        self.places = places
    }

    package subscript(id: FolderID) -> Entry? { places[id].map { inOrder[$0] } }
    package var isEmpty: Bool { inOrder.isEmpty }

    /// Whether a folder is another one, or somewhere in it.
    func contains(_ id: FolderID, in outer: FolderID) -> Bool {
        var next: FolderID? = id
        while let folder = next {
            if folder == outer { return true }
            next = self[folder]?.parent
        }
        return false
    }

    package static func == (left: FolderTree, right: FolderTree) -> Bool { left.told == right.told }
    package func hash(into hasher: inout Hasher) { hasher.combine(told) }
}

extension ListedFolder {
    /// The name to show.
    package var title: String { name.isEmpty ? "Folder without a name" : name }

    fileprivate var fitted: ListedFolder { ListedFolder(id: id, name: name.noteTitle, parent: parent) }
}

extension FolderTree: Codable {
    package init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode([ListedFolder].self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(told)
    }
}

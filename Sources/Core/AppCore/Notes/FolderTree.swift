/// The folders of notes, as a tree whatever their parents say.
///
/// A folder whose parent is unknown stands at the top. In a circle of parents, which two devices can make by moving at the
/// same time, the folder that was told first stands at the top.
public struct FolderTree: Sendable, Hashable {
    /// As the host told them, siblings in their order.
    private let told: [ListedFolder]
    /// Every folder once, depth first.
    public let inOrder: [Entry]
    private let places: [FolderID: Int]

    /// A folder, and where it is.
    public struct Entry: Sendable, Hashable {
        public let folder: ListedFolder
        /// The folder above, if it is known.
        public let parent: FolderID?
        /// The names on the way down to it: `Work › Projects`.
        public let path: String
    }

    public init() { self.init([]) }

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
            var waiting = [Entry(folder: top, parent: nil, path: top.title)]
            while let entry = waiting.popLast() {
                guard places[entry.folder.id] == nil else { continue }
                places[entry.folder.id] = entries.count
                entries.append(entry)
                for child in (children[entry.folder.id] ?? []).reversed() {
                    let path = "\(entry.path) › \(child.title)".limited(to: NotebookLimits.pathBytes)
                    waiting.append(Entry(folder: child, parent: entry.folder.id, path: path))
                }
            }
        }
        inOrder = entries
        self.places = places
    }

    public subscript(id: FolderID) -> Entry? { places[id].map { inOrder[$0] } }
    public var isEmpty: Bool { inOrder.isEmpty }

    /// Whether a folder is another one, or somewhere in it.
    func contains(_ id: FolderID, in outer: FolderID) -> Bool {
        var next: FolderID? = id
        while let folder = next {
            if folder == outer { return true }
            next = self[folder]?.parent
        }
        return false
    }

    public static func == (left: FolderTree, right: FolderTree) -> Bool { left.told == right.told }
    public func hash(into hasher: inout Hasher) { hasher.combine(told) }
}

extension ListedFolder {
    /// The name to show.
    public var title: String { name.isEmpty ? "Folder without a name" : name }

    fileprivate var fitted: ListedFolder { ListedFolder(id: id, name: name.noteTitle, parent: parent) }
}

extension FolderTree: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode([ListedFolder].self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(told)
    }
}

internal import Components
internal import Storage

/// A search for names in a folder and those below it.
struct Search: Sendable {
    let folder: FolderView
    let location: Location
    private let matcher: NameMatcher
    private let kinds: Set<FileStatus.Kind>
    /// Whether those are wanted that do not match.
    private let isExcluding: Bool
    /// Folders in folders that are searched: 0 for those entries alone that lie in the folder itself.
    private let depth: Int
    let found: FoundItems

    init(_ request: FsProto.SelectRequestBody, in folder: FolderView) throws(RuntimeException) {
        self.folder = folder
        location = try folder.location(request.path)
        let criteria = request.criteria ?? FsProto.SelectRequestBody.SelectCriteria()
        matcher = try NameMatcher(criteria, at: location)
        var kinds: Set<FileStatus.Kind> = []
        for type in criteria.type {
            switch type {
            case "file": kinds.insert(.file)
            case "folder": kinds.insert(.folder)
            case "link": kinds.insert(.symbolicLink)
            default: throw .badArguments("there are files, folders and links, but no \(type)", at: location.shown)
            }
        }
        self.kinds = kinds.isEmpty ? [.file, .folder, .symbolicLink] : kinds
        switch criteria.action {
        case "include", "": isExcluding = false
        case "exclude": isExcluding = true
        default:
            throw .badArguments("a search includes or excludes, and cannot \(criteria.action)", at: location.shown)
        }
        depth = min(folder.root.limits.depth, criteria.depth.map { Int($0.value) } ?? .max)
        found = FoundItems(in: folder.inner(location, writable: false))
    }

    /// Looks through one folder after another, until there is none left or the task is cancelled.
    func run() async throws(RuntimeException) {
        defer { found.complete() }
        var waiting = [(location: location, path: "", depth: 0)]
        var budget = folder.root.limits.entries
        while let next = waiting.popLast(), !Task.isCancelled {
            let inner = next.depth < depth
            let (entries, matching) = try await look(into: next.location, isFirst: next.depth == 0)
            budget -= entries.count
            for entry in matching {
                found.add(FoundItems.Item(name: next.path + entry.name, kind: entry.kind))
            }
            guard budget >= 0, found.items.count <= folder.root.limits.found else {
                throw .limit(
                    "a search looks at \(folder.root.limits.entries) entries and finds \(folder.root.limits.found)",
                    at: location.shown)
            }
            for entry in entries.reversed() where entry.kind == .folder && inner {
                waiting.append((try next.location.child(entry.name), "\(next.path)\(entry.name)/", next.depth + 1))
            }
        }
    }

    private func look(
        into location: Location, isFirst: Bool
    ) async throws(RuntimeException) -> (all: [PlainFolder.Entry], matching: [PlainFolder.Entry]) {
        try await folder.root.run(on: folder.root.reading) { [self] in
            do throws(RuntimeException) {
                let entries = try folder.root.tree.entries(location)
                return (entries, entries.filter { kinds.contains($0.kind) && matcher.matches($0.name) != isExcluding })
            } catch {
                // Folders go while others are looked through.
                if !isFirst, error.has("notFound") || error.has("notDirectory") { return ([], []) }
                throw error
            }
        }
    }
}

internal import Components
internal import Storage
internal import Synchronization

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

    init(
        _ request: FsProto.SelectRequestBody, in folder: FolderView, memory: MemoryBudget? = nil
    ) throws(RuntimeException) {
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
        found = FoundItems(in: folder.inner(location, writable: false), memory: memory)
    }

    /// Looks through one folder after another, until there is none left, the task is cancelled, or it has taken too much.
    func run() async throws(RuntimeException) {
        defer { found.complete() }
        let effort = SearchEffort(folder.root.limits, at: location)
        var waiting = [(location: location, path: "/", depth: 0)]
        while let next = waiting.popLast(), !Task.isCancelled {
            let inner = next.depth < depth
            let (entries, matching) = try await look(into: next.location, isFirst: next.depth == 0, effort)
            for entry in matching {
                guard found.add(FoundItems.Item(name: next.path + entry.name, kind: entry.kind)) else {
                    throw .limit("what searches have found takes too much memory: let go of some", at: location.shown)
                }
            }
            guard found.items.count <= folder.root.limits.found else {
                throw .limit("a search finds \(folder.root.limits.found) at most", at: location.shown)
            }
            for entry in entries.reversed() where entry.kind == .folder && inner {
                waiting.append((try next.location.child(entry.name), "\(next.path)\(entry.name)/", next.depth + 1))
            }
        }
    }

    private typealias Look = (all: [FolderEntry], matching: [FolderEntry])

    /// Looks into one folder. A cancelled task does not wait for the end of it.
    private func look(
        into location: Location, isFirst: Bool, _ effort: SearchEffort
    ) async throws(RuntimeException) -> Look {
        let result: Result<Look, RuntimeException> = await withTaskCancellationHandler {
            do throws(RuntimeException) {
                return .success(
                    try await folder.root.run(on: folder.root.readingQueue) { try entries(location, isFirst, effort) })
            } catch {
                return .failure(error)
            }
        } onCancel: {
            effort.stop()
        }
        return try result.get()
    }

    private func entries(
        _ location: Location, _ isFirst: Bool, _ effort: SearchEffort
    ) throws(RuntimeException) -> Look {
        do throws(RuntimeException) {
            try effort.spend(entries: 0, steps: 0)
            let entries = try folder.root.tree.entries(location)
            var matching: [FolderEntry] = []
            for entry in entries {
                var steps = 0
                let isWanted = kinds.contains(entry.kind) && matcher.matches(entry.name, steps: &steps) != isExcluding
                if isWanted { matching.append(entry) }
                try effort.spend(entries: 1, steps: steps)
                // What was taken back meanwhile is not looked at any longer.
                try folder.root.checkOpen()
            }
            return (entries, matching)
        } catch {
            // Folders go while others are looked through.
            if !isFirst, error.has("notFound") || error.has("notDirectory") { return ([], []) }
            throw error
        }
    }
}

/// What one search has taken of the host, which is limited, and whether it is still wanted.
final class SearchEffort: Sendable {
    private let spent = Mutex((entries: 0, steps: 0))
    private let isStopped = Atomic(false)
    private let deadline: ContinuousClock.Instant
    private let limits: StorageLimits
    private let location: Location

    init(_ limits: StorageLimits, at location: Location) {
        self.limits = limits
        self.location = location
        deadline = .now + limits.searchTime
    }

    /// The search was cancelled.
    func stop() { isStopped.store(true, ordering: .relaxed) }

    /// Counts what was just done. Called between names, each of which takes little.
    func spend(entries: Int, steps: Int) throws(RuntimeException) {
        guard !isStopped.load(ordering: .relaxed) else { throw RuntimeException(ipc: .callCancelled) }
        let total = spent.withLock { spent in
            spent.entries += entries
            spent.steps += steps
            return spent
        }
        guard total.entries <= limits.entries else { throw exceeded("looks at \(limits.entries) entries at most") }
        guard total.steps <= limits.searchSteps else {
            throw exceeded("may not compare that much: use a shorter expression, or search fewer folders")
        }
        // The clock is not asked for each of very many names.
        guard total.entries % 64 == 0 else { return }
        guard ContinuousClock.now < deadline else { throw exceeded("takes \(limits.searchTime) at most") }
    }

    private func exceeded(_ what: String) -> RuntimeException { .limit("a search \(what)", at: location.shown) }
}

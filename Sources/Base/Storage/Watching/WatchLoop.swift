/// Joins notifications with the results of scans. Used on one thread only.
struct WatchLoop: Sendable {
    private let folders: [WatchedFolder]
    private let pace: FolderWatch.Pace
    private let notifications: ChangeNotifications?
    /// How deeply folders with notifications are watched.
    private var depths: [String: Int] = [:]
    private var scan = FolderScan()
    /// Changed paths that were not reported yet.
    private var changed: Set<String> = []
    private var tellingTime: ContinuousClock.Instant?
    private var lookingTime = ContinuousClock.now
    /// The missing folders. Whether one has appeared is checked often, because it costs almost nothing.
    private var missing: [String] = []
    private var askingTime: ContinuousClock.Instant?

    init(_ folders: [WatchedFolder], pace: FolderWatch.Pace) {
        self.folders = folders
        self.pace = pace
        let isUseful = pace.usesNotifications && folders.allSatisfy { ChangeNotifications.work(in: $0.path) }
        notifications = isUseful ? ChangeNotifications() : nil
    }

    mutating func run(until stop: StopSignal, _ tell: (Set<String>) -> Void) {
        while true {
            let next = [tellingTime, askingTime].compactMap(\.self).reduce(lookingTime, min)
            let time = ContinuousClock.now.duration(to: next)
            let descriptors = [stop.readable] + (notifications.map { [$0.descriptor] } ?? [])
            let readable = waitUntilReadable(descriptors, atMost: max(.zero, time))
            if readable[0] { return }
            if readable.count > 1, readable[1] { notifications?.arrived().forEach { take($0) } }
            if let askingTime, ContinuousClock.now >= askingTime { ask() }
            if ContinuousClock.now >= lookingTime { changed.formUnion(look()) }
            if let tellingTime, ContinuousClock.now < tellingTime { continue }
            tellingTime = nil
            if changed.isEmpty { continue }
            for path in changed { scan.refresh(path) }
            tell(changed)
            changed = []
        }
    }

    /// Scans all folders, asks for notifications of new ones, and returns what changed.
    @discardableResult
    mutating func look() -> Set<String> {
        let start = ContinuousClock.now
        var fresh = FolderScan()
        missing = folders.map(\.path).filter { !FolderScan.exists($0) }
        var isComplete = notifications != nil
        var depths: [String: Int] = [:]
        for folder in folders {
            fresh.look(at: folder) { listed in
                depths[listed.path] = listed.depth
                if !missing.contains(listed.path), notifications?.add(listed.path) != true { isComplete = false }
            }
        }
        let differences = fresh.differences(from: scan)
        (scan, self.depths) = (fresh, depths)
        let end = ContinuousClock.now
        lookingTime = end + max(isComplete ? pace.checking : pace.polling, (end - start) * 10)
        askingTime = missing.isEmpty ? nil : end + pace.polling
        return differences
    }

    private mutating func ask() {
        askingTime = .now + pace.polling
        if missing.contains(where: FolderScan.exists) { lookSoon() }
    }

    mutating func take(_ event: ChangeNotifications.Event) {
        switch event {
        case .lost:
            lookSoon()
        case .folderWent(let path):
            changed.formUnion(scan.remove(folder: path))
            changed.insert(path)
            notifications?.remove(below: path)
            // A folder that we were asked to watch may come back.
            if folders.contains(where: { $0.path == path }) { lookSoon() }
        case .folderCame(let path, let parent):
            changed.insert(path)
            if let depth = depths[parent], depth > 0 { look(into: WatchedFolder(path, depth: depth - 1)) }
        case .changed(let path):
            changed.insert(path)
        }
        if tellingTime == nil, !changed.isEmpty { tellingTime = .now + pace.settling }
    }

    private mutating func lookSoon() {
        lookingTime = min(lookingTime, .now + pace.settling)
    }

    /// Files that came into a new folder before it was watched caused no notification.
    private mutating func look(into folder: WatchedFolder) {
        var inner = FolderScan()
        inner.look(at: folder) { listed in
            depths[listed.path] = listed.depth
            if notifications?.add(listed.path) != true { lookSoon() }
        }
        changed.formUnion(inner.entries.keys)
    }
}

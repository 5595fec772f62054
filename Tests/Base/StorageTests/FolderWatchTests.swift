import Dispatch
import Foundation
import Testing

@testable import Storage

@Suite("Watching folders", .timeLimit(.minutes(1)))
struct FolderWatchTests {
    private static func pace(_ usesNotifications: Bool) -> FolderWatch.Pace {
        var pace = FolderWatch.Pace()
        pace.settling = .milliseconds(50)
        pace.polling = .milliseconds(20)
        // Too late to matter.
        pace.checking = .seconds(600)
        pace.usesNotifications = usesNotifications
        return pace
    }

    /// Takes sets until all these paths were in one.
    private func expect(_ paths: String..., from changes: inout FolderChanges.Iterator) async {
        var missing = Set(paths)
        while !missing.isEmpty, let changed = await changes.next() { missing.subtract(changed) }
        #expect(missing.isEmpty)
    }

    private func write(_ text: String, _ path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    @Test("New, changed, renamed and removed files are reported, also in new folders", arguments: [true, false])
    func files(notified: Bool) async throws {
        let folder = try TemporaryFolder()
        try write("a", folder.path(of: "a"))
        let watch = try FolderWatch([WatchedFolder(folder.path, depth: 2)], pace: Self.pace(notified))
        var changes = watch.changes.makeAsyncIterator()

        try write("more", folder.path(of: "a"))
        await expect(folder.path(of: "a"), from: &changes)
        try FileManager.default.moveItem(atPath: folder.path(of: "a"), toPath: folder.path(of: "b"))
        await expect(folder.path(of: "a"), folder.path(of: "b"), from: &changes)
        try FileManager.default.removeItem(atPath: folder.path(of: "b"))
        await expect(folder.path(of: "b"), from: &changes)

        try FileManager.default.createDirectory(
            atPath: folder.path(of: "new/inner"), withIntermediateDirectories: true)
        try write("c", folder.path(of: "new/inner/c"))
        await expect(folder.path(of: "new/inner/c"), from: &changes)
        try write("d", folder.path(of: "new/inner/d"))
        await expect(folder.path(of: "new/inner/d"), from: &changes)
        try FileManager.default.moveItem(atPath: folder.path(of: "new"), toPath: folder.path(of: "moved"))
        await expect(folder.path(of: "new/inner/c"), folder.path(of: "moved/inner/c"), from: &changes)
        try write("more", folder.path(of: "moved/inner/c"))
        await expect(folder.path(of: "moved/inner/c"), from: &changes)
    }

    @Test("A folder that goes and comes back is watched again", arguments: [true, false])
    func roots(notified: Bool) async throws {
        let folder = try TemporaryFolder()
        let root = folder.path(of: "root")
        let watch = try FolderWatch([WatchedFolder(root)], pace: Self.pace(notified))
        var changes = watch.changes.makeAsyncIterator()
        for round in 0..<3 {
            try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
            try write("\(round)", root + "/file")
            await expect(root + "/file", from: &changes)
            if round == 1 {
                try FileManager.default.moveItem(atPath: root, toPath: folder.path(of: "elsewhere"))
            } else {
                try FileManager.default.removeItem(atPath: root)
            }
            await expect(root + "/file", from: &changes)
        }
    }

    @Test("Files that are too deep, or begin with a dot, are not reported", arguments: [true, false])
    func silence(notified: Bool) async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path(of: "one/two"), withIntermediateDirectories: true)
        let watch = try FolderWatch([WatchedFolder(folder.path, depth: 1)], pace: Self.pace(notified))
        var changes = watch.changes.makeAsyncIterator()
        try write("x", folder.path(of: "one/two/deep"))
        try write("x", folder.path(of: ".hidden"))
        try write("x", folder.path(of: "one/seen"))
        var told: Set<String> = []
        while !told.contains(folder.path(of: "one/seen")), let more = await changes.next() { told.formUnion(more) }
        #expect(told.isDisjoint(with: [folder.path(of: "one/two/deep"), folder.path(of: ".hidden")]))
    }

    @Test("When the kernel drops notifications, a scan finds the changes")
    func overflow() throws {
        let folder = try TemporaryFolder()
        let stop = try StopSignal()
        var pace = Self.pace(true)
        pace.settling = .zero
        var loop = WatchLoop([WatchedFolder(folder.path)], pace: pace)
        loop.look()
        try write("x", folder.path(of: "file"))
        loop.take(.lost)
        var told: [Set<String>] = []
        loop.run(until: stop) { paths in
            told.append(paths)
            stop.send()
        }
        #expect(told == [[folder.path(of: "file")]])
    }

    @Test("Many watches leave the dispatch queues their threads")
    func threads() async throws {
        let folder = try TemporaryFolder()
        var pace = Self.pace(false)
        pace.polling = .seconds(600)
        // More than libdispatch has threads for queues.
        let watches = try (0..<300).map { _ in try FolderWatch([WatchedFolder(folder.path)], pace: pace) }
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "another").async { continuation.resume() }
        }
        withExtendedLifetime(watches) {}
    }

    @Test("A waiting task ends with the watch, or when it is cancelled")
    func ending() async throws {
        let folder = try TemporaryFolder()
        var watch: FolderWatch? = try FolderWatch([WatchedFolder(folder.path)])
        let changes = try #require(watch).changes
        let waiting = Task { for await _ in changes {} }
        let cancelled = Task { for await _ in try FolderWatch([WatchedFolder(folder.path)]).changes {} }
        cancelled.cancel()
        try await cancelled.value
        watch = nil
        await waiting.value
    }
}

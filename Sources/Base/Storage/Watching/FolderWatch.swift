internal import Platform

/// Reports which files in some folders changed, whichever program changed them.
///
///     let watch = try FolderWatch([WatchedFolder(path, depth: 2)])
///     for await paths in watch.changes { … }
///
/// Where the system has notifications (inotify on Linux), changes are reported fast. Notifications miss changes by
/// others on network and user-space file systems, and can be lost. So every folder is also scanned now and then, and
/// more often where it has no notifications. Other systems only scan. Names that begin with a dot are left out:
/// programs use them for unfinished files.
package final class FolderWatch: Sendable {
    /// The waits. Scanning large folders takes long, so at most a tenth of the time is spent on it.
    package struct Pace: Sendable {
        /// After the first change, so that a burst is reported at once.
        package var settling: Duration = .milliseconds(75)
        /// Between two scans where the system gives no notifications, or not for every folder.
        package var polling: Duration = .seconds(2)
        /// Between two scans beside notifications.
        package var checking: Duration = .seconds(30)
        /// Whether notifications are used where the system has them.
        package var usesNotifications = true

        package init() {}
    }

    /// The paths that changed, appeared or vanished, in sets, until the watch is released. Changes that come faster
    /// than they are taken are joined. One consumer.
    package let changes: FolderChanges
    private let stop: StopSignal

    /// Starts watching: every change after this returns will be reported. Blocks while it scans the folders once.
    /// - Parameter folders: missing ones are watched from when they appear.
    package init(_ folders: [WatchedFolder], pace: Pace = Pace()) throws(FileError) {
        let changes = FolderChanges()
        let stop = try StopSignal()
        var loop = WatchLoop(folders, pace: pace)
        loop.look()
        let isStarted = PlatformThread.start(stackSize: Self.stackSize) { [loop] in
            var loop = loop
            loop.run(until: stop) { changes.add($0) }
            changes.finish()
        }
        guard isStarted else {
            throw FileError(.failed, "cannot watch folders: the system has no thread to give; let some programs end")
        }
        (self.changes, self.stop) = (changes, stop)
    }

    /// Bytes: enough for folders as deep as paths can be.
    private static let stackSize = 1 << 20

    deinit { end() }

    /// Ends the watch soon, and with it ``changes``.
    package func end() { stop.send() }
}

/// A folder to watch, and how deeply.
package struct WatchedFolder: Hashable, Sendable {
    /// The path of the folder.
    package let path: String
    /// 0: only what lies in the folder itself; 1: also what lies in the folders there; and so on.
    package let depth: Int

    package init(_ path: String, depth: Int = 0) {
        self.path = path
        self.depth = depth
    }
}

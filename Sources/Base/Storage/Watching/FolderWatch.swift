internal import Platform

/// Tells which files in some folders changed, whoever changed them.
///
///     let watch = try FolderWatch([WatchedFolder(path, depth: 2)])
///     for await paths in watch.changes { … }
///
/// The system's notifications are fast where there are any: on Linux inotify. They say nothing about what others do on
/// network and user-space file systems, and can be lost, so every folder is also looked through now and then, often where
/// nothing else helps. On other systems looking is all there is. Names that begin with a dot are left out: they are work
/// in progress of programs that write or sync.
package final class FolderWatch: Sendable {
    /// How long is waited for what. Looking takes its time in large folders, and is never done more than a tenth of the time.
    package struct Pace: Sendable {
        /// After the first change, so that a burst is told at once.
        package var settling: Duration = .milliseconds(75)
        /// Between two looks where the system gives no notifications, or not for every folder.
        package var polling: Duration = .seconds(2)
        /// Between two looks beside notifications.
        package var checking: Duration = .seconds(30)
        /// Whether notifications are used where there are some.
        package var usesNotifications = true

        package init() {}
    }

    /// The paths that changed, appeared or went, in sets, until the watch is let go. Changes that come faster than they are taken
    /// are joined. One consumer.
    package let changes: FolderChanges
    private let stop: StopSignal

    /// Starts watching: every change after this returns will be told. Blocks while it looks through the folders once.
    /// - Parameter folders: those that are missing are waited for.
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

    /// Ends the changes soon, for whoever takes them too.
    package func end() { stop.send() }
}

/// A folder that is watched, and how deep.
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

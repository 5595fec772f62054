#if os(Linux)
package import Foundation

/// Timers of the person's own systemd, one for each app: `alcove-app-<domain>.timer` starts `alcove app startup <domain> --once`.
package struct SystemdTimers: WakeScheduler {
    /// Where a person's own units are.
    private let folder: URL
    /// The words that start alcove for this profile.
    private let program: [String]
    private let run: @Sendable ([String]) async -> Int32

    /// - Parameters:
    ///   - folder: usually `~/.config/systemd/user`.
    ///   - program: `alcove` and the options that name the profile.
    ///   - run: runs `systemctl` with these words and tells its exit code; 127 when there is none.
    package init(folder: URL, program: [String], run: @escaping @Sendable ([String]) async -> Int32) {
        self.folder = folder
        self.program = program
        self.run = run
    }

    package var availability: BackgroundStrategy.Availability {
        guard FileManager.default.fileExists(atPath: "/run/systemd/system") else {
            return .unavailable("this machine does not run systemd; start `alcove app startup` from its own scheduler")
        }
        return .available
    }

    package func schedule(app: String, every period: Duration) async throws(AppFailure) {
        let unit = Self.unit(app)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try service(app).write(to: folder.appending(path: unit + ".service"), atomically: true, encoding: .utf8)
            try Self.timer(app, every: period)
                .write(to: folder.appending(path: unit + ".timer"), atomically: true, encoding: .utf8)
        } catch {
            throw AppFailure(.file, "the timer cannot be written into \(folder.path): \(error.localizedDescription)")
        }
        for words in [["daemon-reload"], ["enable", "--now", unit + ".timer"]] where await run(["--user"] + words) != 0
        {
            throw AppFailure(
                .unavailable, "systemctl --user \(words.joined(separator: " ")) did not work; is there a user session?")
        }
    }

    package func isScheduled(app: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: Self.unit(app) + ".timer").path)
    }

    package func cancel(app: String) async throws(AppFailure) {
        let unit = Self.unit(app)
        let files = [".timer", ".service"].map { folder.appending(path: unit + $0) }
        guard files.contains(where: { FileManager.default.fileExists(atPath: $0.path) }) else { return }
        _ = await run(["--user", "disable", "--now", unit + ".timer"])
        for file in files { try? FileManager.default.removeItem(at: file) }
        _ = await run(["--user", "daemon-reload"])
    }

    static func unit(_ app: String) -> String { "alcove-app-" + app }

    func service(_ app: String) -> String {
        """
        [Unit]
        Description=Background work of \(app) in Alcove

        [Service]
        Type=oneshot
        ExecStart=\((program.prefix(1) + ["app", "startup", app, "--once"] + program.dropFirst()).map(Self.quoted).joined(separator: " "))

        """
    }

    static func timer(_ app: String, every period: Duration) -> String {
        """
        [Unit]
        Description=Wakes \(app) in Alcove

        [Timer]
        OnActiveSec=\(period.components.seconds)
        OnUnitActiveSec=\(period.components.seconds)
        Persistent=true

        [Install]
        WantedBy=timers.target

        """
    }

    /// A word of `ExecStart`, in which quotes, backslashes, `%` and `$` mean something.
    static func quoted(_ word: String) -> String {
        let escaped = word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            .replacing("%", with: "%%").replacing("$", with: "$$")
        return "\"\(escaped)\""
    }
}
#endif

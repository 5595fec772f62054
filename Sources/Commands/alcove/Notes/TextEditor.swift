import Foundation
import Platform

/// The person's own editor: `$VISUAL`, else `$EDITOR`, else one that is there.
struct TextEditor {
    /// Shell commands; the first one that can be started is taken.
    private let commands: [String]

    /// Tried in this order, if the person named no editor that exists.
    private static let usual = ["editor", "nano", "vim", "vi", "emacs"]

    init() throws(CommandFailure) {
        let environment = ProcessInfo.processInfo.environment
        let named = ["VISUAL", "EDITOR"].compactMap { environment[$0] }.filter { !$0.isEmpty }
        let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        // They need a terminal.
        let found = Self.usual.first { name in folders.contains { access("\($0)/\(name)", X_OK) == 0 } }
        commands = named + (isatty(STDIN_FILENO) == 1 ? [found].compactMap(\.self) : [])
        if commands.isEmpty {
            throw CommandFailure("there is no editor: set EDITOR, for example EDITOR=nano", .configuration)
        }
    }

    /// Waits until the person has closed the editor.
    func edit(_ draft: Draft) async throws(CommandFailure) {
        // Control-C is for the editor as long as it runs.
        let before = [SIGINT, SIGQUIT].map { (number: $0, action: signal($0, SIG_IGN)) }
        defer { for old in before { signal(old.number, old.action) } }
        for (number, command) in commands.enumerated() {
            let status = await Self.run(command, on: draft.path)
            if status == 0 { return }
            let next = commands.dropFirst(number + 1).first
            guard Self.unstarted.contains(status), draft.isUntouched else {
                throw CommandFailure("the editor “\(command)” ended with \(status)", .temporaryFailure)
            }
            guard let next else {
                throw CommandFailure(
                    "the editor “\(command)” cannot be started: set EDITOR to one that is here, for example EDITOR=nano",
                    .configuration)
            }
            Terminal.complain("the editor “\(command)” cannot be started; this is “\(next)”")
        }
    }

    /// What a shell answers if there is no such command, or it may not be run.
    private static let unstarted: Set<Int32> = [126, 127]

    private static func run(_ command: String, on path: String) async -> Int32 {
        await withCheckedContinuation { ended in
            // It stays in this process group, so that it may read the terminal; waiting for it takes a thread.
            Thread.detachNewThread {
                ended.resume(returning: spawn(["/bin/sh", "-c", "\(command) \"$1\"", "sh", path]))
            }
        }
    }

    /// - Returns: the exit status, or 127 if it could not be started.
    private static func spawn(_ words: [String]) -> Int32 {
        var start = ProgramStart(words)
        start.streams = ProgramStart.ownStreams
        let (child, error) = start.start()
        guard error == 0 else { return 127 }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 { if errno != EINTR { return 127 } }
        return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
    }
}

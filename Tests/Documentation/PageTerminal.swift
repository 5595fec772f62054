import Foundation
import ProgramRunner
import Synchronization

/// A terminal with a shell, in which somebody follows a page.
final class PageTerminal: Sendable {
    /// Reads commands from a pipe, so that what is typed goes to the programs. It marks their ends as shells do for
    /// terminals (OSC 133), in what is shown: so nothing that a command printed comes after its end.
    static let shell = """
        trap : INT
        cd "$2" || exit
        exec 3<"$1"
        while IFS= read -r -d '' command <&3; do
            eval "$command" 3<&-
            printf '\\e]133;D;%d\\a' "$?"
        done
        """

    private struct Shown {
        var text = ""
        /// Where the output of the newest command begins.
        var start = 0
        var isRunning = false
    }

    let terminal: PseudoTerminal
    private let commands: FileHandle
    private let screen: FileHandle
    private let shown = Mutex(Shown())

    /// - Parameter pipe: where the pipe for commands is to be.
    init(pipe: String) throws {
        // As wide as the pages.
        terminal = try PseudoTerminal(columns: 120)
        screen = terminal.kept()
        guard mkfifo(pipe, 0o600) == 0, let commands = FileHandle(forUpdatingAtPath: pipe) else {
            throw CocoaError(.fileWriteUnknown)
        }
        self.commands = commands
        Thread.detachNewThread { [self] in
            terminal.follow { text in
                shown.withLock { $0.text += text.replacingOccurrences(of: "\r\n", with: "\n") }
            }
        }
    }

    func run(_ command: String) throws {
        shown.withLock { shown in
            shown.start = shown.text.utf8.count
            shown.isRunning = true
        }
        try commands.write(contentsOf: Data((command + "\0").utf8))
    }

    func type(_ text: String) throws { try terminal.keys.write(contentsOf: Data(text.utf8)) }

    /// What the newest command printed, and its exit code if it has ended.
    var output: (text: String, status: Int32?) {
        shown.withLock { shown in
            let text = String(shown.text.utf8.dropFirst(shown.start)) ?? ""
            guard let mark = text.firstMatch(of: #/\e\]133;D;([0-9]+)\a/#) else { return (text, nil) }
            return (String(text[..<mark.range.lowerBound]), Int32(mark.output.1))
        }
    }

    /// Whether a command was given that has not ended.
    var isBusy: Bool { shown.withLock(\.isRunning) && output.status == nil }
}

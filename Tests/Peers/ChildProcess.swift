package import Dispatch
package import Foundation
import ProgramRunner

/// A foreign program that runs until it is ended, and never longer than the tests.
package final class ChildProcess: Sendable {
    private let running: RunningProgram

    /// Where Linux keeps the program that ends another one with its parent (util-linux).
    private static let leash = "/usr/bin/setpriv"

    package init(
        program: URL, arguments: [String], input: FileHandle? = nil, output: FileHandle? = nil
    ) throws {
        let leashed = FileManager.default.isExecutableFile(atPath: Self.leash)
        let words = (leashed ? [Self.leash, "--pdeathsig", "KILL"] : []) + [program.path] + arguments
        running = try RunningProgram(words, input: input, output: output)
    }

    package var isRunning: Bool { running.isRunning }

    /// Holds it, so that it answers nothing.
    package func pause() { running.signal(SIGSTOP) }

    package func resume() { running.signal(SIGCONT) }

    /// Asks it to end.
    package func terminate() { running.signal(SIGTERM) }

    /// Waits a moment for the program to go by itself, then makes it go.
    package func end(grace: DispatchTimeInterval) {
        if running.exitCode(within: grace) != nil { return }
        running.signal(SIGKILL)
        _ = running.exitCode(within: .seconds(5))
    }

    /// Like ``end(grace:)``, without holding the thread.
    package func ended(grace: Duration) async {
        let running = running
        let guarding = Task {
            try await Task.sleep(for: grace)
            running.signal(SIGKILL)
        }
        _ = await running.exitCode()
        guarding.cancel()
    }
}

extension Pipe {
    /// The first line that a program writes into it, without its end; less if the program ends before that. A signal may interrupt a reading, which
    /// then looks like the end.
    package func firstLine() -> String {
        var bytes = Data()
        for _ in 0..<1000 {
            let more = fileHandleForReading.availableData
            bytes += more
            if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                return String(decoding: bytes[..<end], as: UTF8.self)
            }
            if more.isEmpty { Thread.sleep(forTimeInterval: 0.01) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

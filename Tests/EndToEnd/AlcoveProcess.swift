import Foundation
import ProgramRunner
import Synchronization

/// The program itself, as a person would run it: what it prints, what it is told, how it ends.
final class AlcoveProcess: Sendable {
    private let running: RunningProgram
    private let input: Mutex<FileHandle?>
    private let printed = Mutex(Printed())

    private struct Printed {
        var lines: [String] = []
        /// Lines before this one were expected already.
        var next = 0
        var exitCode: Int32?
    }

    /// Generous, because it only guards against hanging: longer than the program itself waits, which says what for.
    static let patience = Duration.seconds(180)

    /// The program lies beside the test bundle.
    static var program: String {
        URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("alcove").path
    }

    /// Starts `alcove` with these words. Standard output and standard error come together.
    /// - Parameters:
    ///   - startsHost: whether a chat may start a host process, which outlives it.
    ///   - program: another one, which starts `alcove`.
    init(_ arguments: [String], startsHost: Bool = false, program: String = AlcoveProcess.program) throws {
        let (toProgram, fromProgram) = (Pipe(), Pipe())
        let (input, output) = (toProgram.fileHandleForReading, fromProgram.fileHandleForWriting)
        let arguments = startsHost ? arguments : Self.withoutHost(arguments)
        running = try RunningProgram([program] + arguments, input: input, output: output, errors: output)
        // The last one of its ends that is closed says that it has ended.
        try input.close()
        try output.close()
        self.input = Mutex(toProgram.fileHandleForWriting)
        Thread.detachNewThread { [self] in follow(fromProgram.fileHandleForReading) }
    }

    convenience init(_ arguments: String...) throws { try self.init(arguments) }

    /// The same words so that no host process is started.
    static func withoutHost(_ words: [String]) -> [String] {
        let isConversation =
            words.first == "chat"
            || words.first == "circle" && ["add", "renew", "revoke"].contains(words.dropFirst().first)
        guard isConversation, !words.contains("--help") else { return words }
        let name = words.first == "chat" ? 1 : 2
        return words[..<name] + ["--no-host"] + words[name...]
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    /// Reads to the end, then waits for the process.
    private func follow(_ output: FileHandle) {
        var rest: [UInt8] = []
        while case let data = output.availableData, !data.isEmpty {
            rest += data
            while let end = rest.firstIndex(of: 10) {
                let line = String(decoding: rest[..<end], as: UTF8.self)
                printed.withLock { $0.lines.append(line) }
                rest.removeFirst(end + 1)
            }
        }
        try? output.close()
        let code = running.exitCode(within: .never)
        endInput()
        printed.withLock { $0.exitCode = code }
    }

    var lines: [String] { printed.withLock { $0.lines } }

    /// Waits for a line that contains a text, after those that were expected before.
    @discardableResult
    func expect(_ text: String) async throws -> String {
        let deadline = ContinuousClock.now + Self.patience
        while ContinuousClock.now < deadline {
            let found = printed.withLock { printed -> String? in
                guard let index = printed.lines[printed.next...].firstIndex(where: { $0.contains(text) }) else {
                    return nil
                }
                printed.next = index + 1
                return printed.lines[index]
            }
            if let found { return found }
            if printed.withLock({ $0.exitCode != nil }) { break }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw Failure("waited in vain for \"\(text)\"; it printed:\n" + lines.joined(separator: "\n"))
    }

    /// Types a line.
    func type(_ line: String) {
        input.withLock { try? $0?.write(contentsOf: Data((line + "\n").utf8)) }
    }

    /// Writes bytes to standard input, which need not be text.
    func type(bytes: [UInt8]) { input.withLock { try? $0?.write(contentsOf: Data(bytes)) } }

    /// Ends standard input.
    func endInput() { input.withLock { try? $0.take()?.close() } }

    func signal(_ number: Int32) { running.signal(number) }

    /// Waits for the end.
    /// - Returns: the exit code; negative: the signal that ended it.
    @discardableResult
    func exitCode() async throws -> Int32 {
        let deadline = ContinuousClock.now + Self.patience
        while ContinuousClock.now < deadline {
            if let code = printed.withLock({ $0.exitCode }) { return code }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw Failure("it did not end; it printed:\n" + lines.joined(separator: "\n"))
    }
}

import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The program itself, as a person would run it: what it prints, what it is told, how it ends.
final class AlcoveProcess: Sendable {
    private let pid: pid_t
    private let input: Int32
    private let printed = Mutex(Printed())

    private struct Printed {
        var lines: [String] = []
        /// Lines before this one were expected already.
        var next = 0
        var exitCode: Int32?
    }

    /// Generous, because it only guards against hanging.
    static let patience = Duration.seconds(60)

    /// The program lies beside the test bundle.
    static var program: String {
        URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("alcove").path
    }

    /// Starts `alcove` with these words. Standard output and standard error come together.
    init(_ arguments: [String]) throws {
        var ends: [Int32] = [0, 0]
        var outEnds: [Int32] = [0, 0]
        guard pipe(&ends) == 0, pipe(&outEnds) == 0 else { throw Failure("no pipe") }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
        posix_spawn_file_actions_adddup2(&actions, outEnds[1], 1)
        posix_spawn_file_actions_adddup2(&actions, outEnds[1], 2)
        for descriptor in ends + outEnds { posix_spawn_file_actions_addclose(&actions, descriptor) }
        var child = pid_t()
        var words: [UnsafeMutablePointer<CChar>?] = ([Self.program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        let status = posix_spawn(&child, Self.program, &actions, nil, &words, environ)
        close(ends[0])
        close(outEnds[1])
        guard status == 0 else { throw Failure("\(Self.program) cannot be started; build it with: swift build") }
        pid = child
        input = ends[1]
        let output = outEnds[0]
        Thread.detachNewThread { [self] in follow(output) }
    }

    convenience init(_ arguments: String...) throws { try self.init(arguments) }

    struct Failure: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    /// Reads to the end, then waits for the process.
    private func follow(_ output: Int32) {
        var rest: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(output, &buffer, buffer.count)
            guard count > 0 else { break }
            rest += buffer[..<count]
            while let end = rest.firstIndex(of: 10) {
                let line = String(decoding: rest[..<end], as: UTF8.self)
                printed.withLock { $0.lines.append(line) }
                rest.removeFirst(end + 1)
            }
        }
        close(output)
        var status: Int32 = 0
        waitpid(pid, &status, 0)
        let signal = status & 0x7f
        printed.withLock { $0.exitCode = signal == 0 ? (status >> 8) & 0xff : -signal }
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
        let bytes = Array((line + "\n").utf8)
        _ = write(input, bytes, bytes.count)
    }

    /// Ends standard input.
    func endInput() { close(input) }

    func signal(_ number: Int32) { kill(pid, number) }

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

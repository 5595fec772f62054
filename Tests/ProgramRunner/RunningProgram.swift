public import Dispatch
public import Foundation
import Platform
import Synchronization

/// A program that runs beside the tests.
///
/// Not by Foundation's `Process`: while more than some 1300 files are open here, that reads past its list of them at every
/// start, and sooner or later crashes. Nothing that is open here is open in the program, but what it is given.
public final class RunningProgram: Sendable {
    public struct NotStarted: Error, CustomStringConvertible {
        public let description: String
    }

    private struct State {
        var id: pid_t = 0
        var status: Int32?
        var waiting: [@Sendable (Int32) -> Void] = []
    }

    private let state = Mutex(State())

    /// Starts a program.
    /// - Parameters:
    ///   - words: its name or path, and what it is told.
    ///   - environment: its variables; nil: those of this process.
    ///   - input: its standard input; nil: nothing. So with `output`.
    ///   - errors: its standard error; nil: that of this process.
    ///   - terminal: the path of a terminal that it has to itself, in place of all three.
    public init(
        _ words: [String], environment: [String: String]? = nil, input: FileHandle? = nil,
        output: FileHandle? = nil, errors: FileHandle? = nil, terminal: String? = nil
    ) throws {
        var start = ProgramStart(words)
        start.isSearched = true
        var variables = environment ?? ProcessInfo.processInfo.environment
        // Swift's back-trace program outlives whoever is killed while it crashes, and holds its standard error open: a test that
        // reads that to the end would wait for ever.
        variables["SWIFT_BACKTRACE"] = "enable=no"
        start.environment = variables.map { "\($0)=\($1)" }
        if let terminal {
            // Whoever leads a session and opens a terminal gets its signals.
            start.group = .session
            for number in 0...2 as ClosedRange<Int32> { start.streams[number] = .file(terminal) }
        } else {
            if let input { start.streams[0] = .descriptor(input.fileDescriptor) }
            if let output { start.streams[1] = .descriptor(output.fileDescriptor) }
            start.streams[2] = .descriptor(errors?.fileDescriptor ?? STDERR_FILENO)
        }
        let started = DispatchSemaphore(value: 0)
        let failure = Mutex<Int32>(0)
        // The thread stays until the program ends: the kernel takes the end of the thread for that of the parent.
        Thread.detachNewThread { [self, start] in
            let (id, error) = start.start()
            failure.withLock { $0 = error }
            if error == 0 { state.withLock { $0.id = id } }
            started.signal()
            if error == 0 { follow(id) }
        }
        started.wait()
        withExtendedLifetime([input, output, errors]) {}
        let error = failure.withLock { $0 }
        if error != 0 {
            let reason = String(cString: strerror(error))
            throw NotStarted(description: "\(words.first ?? "nothing") cannot be started: \(reason)")
        }
    }

    private func follow(_ id: pid_t) {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7f
        let code = signal == 0 ? (status >> 8) & 0xff : -signal
        let waiting = state.withLock { state in
            state.status = code
            return state.waiting
        }
        for ended in waiting { ended(code) }
    }

    public var isRunning: Bool { state.withLock { $0.status == nil } }

    /// Sends a signal, unless it has ended.
    public func signal(_ number: Int32) { state.withLock { if $0.status == nil { kill($0.id, number) } } }

    /// Calls back once it has ended, with its exit code; negative: the signal that ended it.
    public func whenEnded(_ ended: @escaping @Sendable (Int32) -> Void) {
        let status = state.withLock { state in
            if state.status == nil { state.waiting.append(ended) }
            return state.status
        }
        if let status { ended(status) }
    }

    /// Waits for its end without holding a thread.
    /// - Returns: the exit code; negative: the signal that ended it.
    public func exitCode() async -> Int32 {
        await withCheckedContinuation { ended in whenEnded { ended.resume(returning: $0) } }
    }

    /// Waits for its end, and holds the thread.
    /// - Returns: as ``exitCode()``; nil if it goes on.
    public func exitCode(within limit: DispatchTimeInterval) -> Int32? {
        let ended = DispatchSemaphore(value: 0)
        whenEnded { _ in ended.signal() }
        _ = ended.wait(timeout: .now() + limit)
        return state.withLock { $0.status }
    }
}

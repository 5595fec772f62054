internal import Errors
internal import Foundation
internal import Platform
internal import Synchronization

/// A running agent program: bytes in, bytes out, a bounded end of what it says on its standard error. One thread serves it, and started it, because
/// the kernel ends it with that thread.
final class AgentProcess: Sendable {
    /// How a program ended.
    enum End: Sendable, Hashable {
        case status(Int32)
        case signal(Int32)
        case unknown
    }

    /// Bytes that wait for the reader before the program is held back.
    static let highWater = 256 * 1024
    /// Bytes that wait until the program takes them.
    static let outgoingLimit = 8 << 20
    /// Bytes of the end of its standard error that are kept.
    static let errorBytes = 16 * 1024
    /// Milliseconds that it may take to end by itself after its input was closed, and then after it was asked to.
    static let graces: [Int64] = [1000, 2000]

    struct State {
        var incoming: [UInt8] = []
        var outgoing: [UInt8] = []
        var standardError: [UInt8] = []
        /// Bytes that came there.
        var errorCount = 0
        var reader: CheckedContinuation<[UInt8]?, Never>?
        /// Those who wait for its end.
        var mourners: [CheckedContinuation<Void, Never>] = []
        var isStopping = false
        var isOutputOver = false
        var end: End?
    }

    let state = Mutex(State())
    /// A byte into it wakes the thread.
    private let wakeEnd: Int32

    private init(wakeEnd: Int32) { self.wakeEnd = wakeEnd }

    /// Starts a program.
    static func start(_ program: AgentProgram) async throws(AgentError) -> AgentProcess {
        let (command, environment) = (try program.command(), program.environment)
        return try await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<AgentProcess, AgentError>, Never>) in
            let hasStarted = PlatformThread.start(name: "agent") {
                guard let pipes = AgentPipes() else {
                    return continuation.resume(returning: .failure(AgentError(.cannotStart, "no pipes are to be had")))
                }
                var start = ProgramStart(command)
                (start.environment, start.folder, start.group) = (environment, program.folder, .own)
                start.streams = [
                    0: .descriptor(pipes.childsInput), 1: .descriptor(pipes.childsOutput),
                    2: .descriptor(pipes.childsError),
                ]
                let (number, error) = start.start()
                pipes.closeChildsEnds()
                guard error == 0 else {
                    pipes.close()
                    return continuation.resume(
                        returning: .failure(
                            AgentError(
                                .cannotStart, "\(program.name) does not start: \(String(cString: strerror(error)))")))
                }
                let process = AgentProcess(wakeEnd: pipes.wakeWriter)
                continuation.resume(returning: .success(process))
                var loop = AgentProcessLoop(process: process, pipes: pipes, number: number)
                loop.run()
            }
            if !hasStarted {
                continuation.resume(returning: .failure(AgentError(.cannotStart, "no thread is to be had")))
            }
        }.get()
    }

    /// What the program said since the last call, when there is something; nil after everything. For one reader.
    func read() async -> [UInt8]? {
        let bytes = await withCheckedContinuation { continuation in
            let (bytes, isKnown) = state.withLock { state -> ([UInt8]?, Bool) in
                if !state.incoming.isEmpty {
                    defer { state.incoming = [] }
                    return (state.incoming, true)
                }
                if state.isOutputOver { return (nil, true) }
                state.reader = continuation
                return (nil, false)
            }
            if isKnown { continuation.resume(returning: bytes) }
        }
        wake()
        return bytes
    }

    /// Gives bytes to the program.
    /// - Returns: false if it does not take what was given before, or is gone.
    func write(_ bytes: [UInt8]) -> Bool {
        let fits = state.withLock { state in
            guard !state.isStopping, state.end == nil, state.outgoing.count + bytes.count <= Self.outgoingLimit else {
                return false
            }
            state.outgoing += bytes
            return true
        }
        if fits { wake() }
        return fits
    }

    /// Closes its input, then asks it to end, then ends it. What it says meanwhile is dropped. Returns when it is gone.
    func stop() async {
        await withCheckedContinuation { continuation in
            let isGone = state.withLock { state in
                state.isStopping = true
                guard state.end == nil else { return true }
                state.mourners.append(continuation)
                return false
            }
            wake()
            if isGone { continuation.resume() }
        }
    }

    /// How it ended, if it has.
    var end: End? { state.withLock { $0.end } }

    /// The last of what it said on its standard error: a stranger's words.
    var standardError: String { state.withLock { String(decoding: $0.standardError, as: UTF8.self) } }

    /// The same behind the first bytes of all that came, and how many came.
    func standardError(after count: Int) -> (text: [UInt8], count: Int) {
        state.withLock { state in
            (Array(state.standardError.suffix(max(0, state.errorCount - count))), state.errorCount)
        }
    }

    private func wake() {
        // The pipe is closed under this lock, so that the byte cannot reach a file that has its number by then.
        state.withLock { state in
            guard state.end == nil else { return }
            var byte: UInt8 = 1
            _ = Platform.write(wakeEnd, &byte, 1)
        }
    }
}

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
        var variables = environment ?? ProcessInfo.processInfo.environment
        // Swift's back-trace program outlives whoever is killed while it crashes, and holds its standard error open: a test that
        // reads that to the end would wait for ever.
        variables["SWIFT_BACKTRACE"] = "enable=no"
        let streams = [
            input?.fileDescriptor ?? -1, output?.fileDescriptor ?? -1, errors?.fileDescriptor ?? STDERR_FILENO,
        ]
        let started = DispatchSemaphore(value: 0)
        let failure = Mutex<Int32>(0)
        // The thread stays until the program ends: the kernel takes the end of the thread for that of the parent.
        Thread.detachNewThread { [self, variables] in
            var id = pid_t()
            let error = spawn(&id, words, variables, streams, terminal)
            failure.withLock { $0 = error }
            if error == 0 { state.withLock { [id] in $0.id = id } }
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

/// - Returns: 0, or why it could not be started.
private func spawn(
    _ id: inout pid_t, _ words: [String], _ variables: [String: String], _ streams: [Int32], _ terminal: String?
) -> Int32 {
    #if canImport(Darwin)
    var (actions, attributes): (posix_spawn_file_actions_t?, posix_spawnattr_t?)
    #else
    var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
    }
    for (number, stream) in streams.enumerated() {
        if let terminal {
            // Whoever leads a session and opens a terminal gets its signals.
            posix_spawn_file_actions_addopen(&actions, Int32(number), terminal, O_RDWR, 0)
        } else if stream >= 0 {
            posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
        } else {
            posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", O_RDWR, 0)
        }
    }
    // Threads that start programs may have signals blocked, and tests ignore SIGPIPE.
    var (none, usual) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigemptyset(&usual)
    sigaddset(&usual, SIGPIPE)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &usual)
    var flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
    #if canImport(Darwin)
    flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
    #else
    if terminal != nil { flags |= Int32(POSIX_SPAWN_SETSID) }
    posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    #endif
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var arguments = words.map { strdup($0) } + [nil]
    var settings = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + settings { free(text) } }
    return posix_spawnp(&id, words.first ?? "", &actions, &attributes, &arguments, &settings)
}

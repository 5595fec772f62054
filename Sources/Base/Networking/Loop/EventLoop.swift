internal import Platform
internal import Synchronization

/// Something with a descriptor that the loop watches; called on the loop's thread only.
protocol EventSource: AnyObject, Sendable {
    func ready(_ event: Poller.Event)
}

/// The one thread that waits for all descriptors of the process, servers' and clients'.
///
/// It is started by the first use and lives as long as the process. A source that is called must never block. The loop
/// knows sources by numbers that are never used twice, so a late event finds no source.
final class EventLoop: Sendable {
    typealias Command = @Sendable () -> Void

    private struct State {
        var commands: [Command] = []
        var sources: [UInt64: any EventSource] = [:]
        var nextID: UInt64 = 1
    }

    private static let started = Result { () throws(NetworkingError) in try EventLoop() }

    /// The loop, started if need be.
    static var shared: EventLoop {
        get throws(NetworkingError) { try started.get() }
    }

    let poller: Poller
    private let state = Mutex(State())

    private init() throws(NetworkingError) {
        ProcessLimits.raiseOpenFiles()
        ProcessLimits.ignoreBrokenPipes()
        guard let poller = Poller() else {
            throw NetworkingError(.unavailable, "the network cannot start: this process is out of open files")
        }
        self.poller = poller
        guard PlatformThread.start({ [self] in run() }) else {
            throw NetworkingError(.unavailable, "the network cannot start: the system has no thread to give")
        }
    }

    private func run() {
        while true {
            poller.wait { event in
                let source = state.withLock { $0.sources[event.id] }
                source?.ready(event)
            }
            runCommands()
        }
    }

    private func runCommands() {
        let commands = state.withLock { state in
            defer { state.commands = [] }
            return state.commands
        }
        for command in commands { command() }
    }

    /// Runs the command on the loop's thread soon.
    func perform(_ command: @escaping Command) {
        let isFirst = state.withLock { state in
            state.commands.append(command)
            return state.commands.count == 1
        }
        if isFirst { poller.wake() }
    }

    /// Watches a descriptor for a source, which is kept alive until it is removed.
    func add(_ source: any EventSource, _ descriptor: Int32, reads: Bool, writes: Bool) -> UInt64? {
        let id = state.withLock { state in
            let id = state.nextID
            state.nextID += 1
            state.sources[id] = source
            return id
        }
        guard poller.add(descriptor, id: id, reads: reads, writes: writes) else {
            remove(id, nil)
            return nil
        }
        return id
    }

    /// Forgets a source. Its descriptor, if given, must still be open.
    func remove(_ id: UInt64, _ descriptor: Int32?) {
        if let descriptor { poller.remove(descriptor) }
        // The last reference may go here, which must not happen under the lock.
        let source = state.withLock { $0.sources.removeValue(forKey: id) }
        _ = source
    }
}

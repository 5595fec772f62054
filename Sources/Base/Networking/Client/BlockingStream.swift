internal import Dispatch
internal import Platform
internal import Synchronization

/// What a client of TLS trusts, and how it shows who it is.
package struct ClientTLS: Sendable, Hashable {
    package var trust: TLSTrust
    /// For servers that ask their clients for a certificate.
    package var identity: TLSIdentity?

    package init(trust: TLSTrust = .system, identity: TLSIdentity? = nil) {
        (self.trust, self.identity) = (trust, identity)
    }
}

/// A connection, perhaps with TLS, for an owner with a thread of its own, who waits for each step. No step takes longer
/// than it may. After a thrown error it is of no use.
package final class BlockingStream {
    private let descriptor: Int32
    private let tls: TLSSession?

    /// Connects to the first address of the host that answers, and agrees on TLS.
    package init(host: String, port: Int, tls: ClientTLS?, within time: Duration) throws(NetworkingError) {
        ProcessLimits.ignoreBrokenPipes()
        let deadline = ContinuousClock.now + time
        let context: TLSContext? = if let tls { try Self.context(tls) } else { nil }
        descriptor = try Self.connected(host, port, deadline)
        guard let context else {
            self.tls = nil
            return
        }
        guard let session = context.session(on: descriptor, host: host) else {
            Socket.shut(descriptor)
            throw NetworkingError(.invalidURL, "\(host) is no name that a certificate could have")
        }
        self.tls = session
        try shakeHands(session, deadline)
    }

    /// Connects to the Unix socket at a path.
    package init(path: String) throws(NetworkingError) {
        ProcessLimits.ignoreBrokenPipes()
        guard case .descriptor(let descriptor) = Socket.connecting(at: path) else {
            throw NetworkingError(.cannotConnect, "nobody listens at \(path), or it is not for this user")
        }
        self.descriptor = descriptor
        tls = nil
    }

    deinit {
        tls?.end()
        Socket.shut(descriptor)
    }

    /// Reads what is there, or comes in this time.
    /// - Returns: how many bytes; nil if nothing came.
    package func read(_ buffer: UnsafeMutableRawBufferPointer, within time: Duration) throws(NetworkingError) -> Int? {
        let deadline = ContinuousClock.now + time
        while true {
            var events = POLLIN
            if let tls {
                switch tls.read(buffer) {
                case .done(let count): return count
                case .wantsRead: break
                case .wantsWrite: events = POLLOUT
                case .ended: throw NetworkingError(.closed, "the other side ended it")
                case .failed: throw NetworkingError(.closed, "it broke")
                }
            } else {
                switch Socket.read(descriptor, buffer) {
                case .bytes(let count): return count
                case .wouldBlock: break
                case .ended: throw NetworkingError(.closed, "the other side ended it")
                case .failed: throw NetworkingError(.closed, "it broke")
                }
            }
            guard Self.wait(descriptor, for: events, until: deadline) else { return nil }
        }
    }

    /// Writes all of it.
    package func write(_ bytes: [UInt8], within time: Duration) throws(NetworkingError) {
        let deadline = ContinuousClock.now + time
        var start = 0
        while start < bytes.count {
            var events = POLLOUT
            var written = 0
            let isBroken = bytes.withUnsafeBytes { all in
                let rest = UnsafeRawBufferPointer(rebasing: all[start...])
                if let tls {
                    switch tls.write(rest) {
                    case .done(let count): written = count
                    case .wantsRead: events = POLLIN
                    case .wantsWrite: break
                    case .ended, .failed: return true
                    }
                    return false
                }
                switch Socket.write(descriptor, rest) {
                case .bytes(let count): written = count
                case .wouldBlock: break
                case .ended, .failed: return true
                }
                return false
            }
            guard !isBroken else { throw NetworkingError(.closed, "it broke") }
            start += written
            guard written > 0 || Self.wait(descriptor, for: events, until: deadline) else {
                throw NetworkingError(.timedOut, "nothing could be sent in time")
            }
        }
    }

    // MARK: Opening

    private static func context(_ tls: ClientTLS) throws(NetworkingError) -> TLSContext {
        guard let identity = tls.identity else { return try ClientContexts.context(for: tls.trust) }
        let context = try TLSContext.client(tls.trust)
        try context.use(identity, orThrow: .noAuthorities)
        return context
    }

    private func shakeHands(_ session: TLSSession, _ deadline: ContinuousClock.Instant) throws(NetworkingError) {
        while true {
            let events: Int32
            switch session.handshake() {
            case .done: return
            case .wantsRead: events = POLLIN
            case .wantsWrite: events = POLLOUT
            case .ended, .failed:
                let refusal = session.certificateFailure ?? (.noTLS, "TLS could not be agreed on")
                throw NetworkingError(refusal.code, refusal.words)
            }
            guard Self.wait(descriptor, for: events, until: deadline) else {
                // A server without TLS may wait for the rest of what it takes for a request.
                throw NetworkingError(.noTLS, "TLS was not agreed on in time")
            }
        }
    }

    private static func connected(
        _ host: String, _ port: Int, _ deadline: ContinuousClock.Instant
    ) throws(NetworkingError) -> Int32 {
        let addresses = try HostResolver.addresses(of: host, until: deadline)
        var failure = NetworkingError(.cannotConnect, "nothing answers there")
        for (index, address) in addresses.enumerated() {
            guard let descriptor = Socket.connecting(to: address, port: port) else { continue }
            // Each address gets its part of the time that is left.
            let limit = ContinuousClock.now + (deadline - .now) / (addresses.count - index)
            if wait(descriptor, for: POLLOUT, until: limit) {
                if Socket.connectionError(descriptor) == 0 { return descriptor }
            } else {
                failure = NetworkingError(.timedOut, "nothing answers there in time")
            }
            Socket.shut(descriptor)
        }
        throw failure
    }

    private static func wait(_ descriptor: Int32, for events: Int32, until deadline: ContinuousClock.Instant) -> Bool {
        while true {
            let rest = max(.zero, deadline - .now)
            // Rounded up, so that the last part of a millisecond is not waited for in a circle.
            let milliseconds =
                rest.components.seconds * 1000 + (rest.components.attoseconds + 999_999_999_999_999)
                / 1_000_000_000_000_000
            var waiting = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            let count = poll(&waiting, 1, Int32(clamping: milliseconds))
            if count > 0 { return true }
            if count == 0 || errno != EINTR { return false }
        }
    }
}

extension HostResolver {
    /// The same, for a thread that may wait.
    static func addresses(
        of host: String, until deadline: ContinuousClock.Instant
    ) throws(NetworkingError) -> [String] {
        if Socket.isNumeric(host) { return [host] }
        let found = Found()
        let isStarted = PlatformThread.start {
            let addresses = lookUp(host)
            found.addresses.withLock { $0 = addresses }
            found.isKnown.signal()
        }
        let (seconds, attoseconds) = max(.zero, deadline - .now).components
        let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        if isStarted { _ = found.isKnown.wait(timeout: .now() + .nanoseconds(nanoseconds)) }
        let addresses = found.addresses.withLock { $0 }
        guard !addresses.isEmpty else {
            throw NetworkingError(.unresolvedHost, "no address found for \(host); check the name and the network")
        }
        return addresses
    }

    private final class Found: Sendable {
        let addresses = Mutex<[String]>([])
        let isKnown = DispatchSemaphore(value: 0)
    }
}

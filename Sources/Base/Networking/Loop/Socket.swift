internal import Platform

/// The socket calls of streams and listeners. This is where platforms differ.
enum Socket {
    #if canImport(Glibc)
    static let streamKind =
        Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    private static let tcp = Int32(IPPROTO_TCP)
    #else
    static let streamKind = SOCK_STREAM
    private static let tcp = IPPROTO_TCP
    #endif

    /// Starts to connect to a numeric address. Nil if that is impossible at once.
    static func connecting(to address: String, port: Int) -> Int32? {
        withAddress(address, port, passive: false) { socketAddress, length in
            let descriptor = socket(Int32(socketAddress.pointee.sa_family), streamKind, tcp)
            guard descriptor >= 0 else { return nil }
            sendPromptly(descriptor)
            if connect(descriptor, socketAddress, length) == 0 || errno == EINPROGRESS { return descriptor }
            close(descriptor)
            return nil
        }
    }

    /// A listening socket and its port. Nil if the address is not ours or the port is taken.
    static func listening(on address: String, port: Int) -> (descriptor: Int32, port: Int)? {
        withAddress(address, port, passive: true) { socketAddress, length in
            let family = Int32(socketAddress.pointee.sa_family)
            let descriptor = socket(family, streamKind, tcp)
            guard descriptor >= 0 else { return nil }
            var on: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, 4)
            guard bind(descriptor, socketAddress, length) == 0, listen(descriptor, 4096) == 0,
                let bound = localPort(descriptor)
            else {
                close(descriptor)
                return nil
            }
            return (descriptor, bound)
        }
    }

    /// Takes a waiting connection; nil and `errno` if there is none.
    static func accepted(_ listener: Int32) -> (descriptor: Int32, peer: PeerAddress)? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                let descriptor = alcove_accept(listener, address, &length)
                guard descriptor >= 0 else { return nil }
                sendPromptly(descriptor)
                return (descriptor, PeerAddress(numericName(address, length) ?? "unknown"))
            }
        }
    }

    /// The error that a connection attempt ended with; 0 if it succeeded.
    static func connectionError(_ descriptor: Int32) -> Int32 {
        var status: Int32 = 0
        var length = socklen_t(4)
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &status, &length) == 0 ? status : errno
    }

    enum Outcome {
        case bytes(Int)
        case wouldBlock
        case ended
        case failed
    }

    static func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        if count > 0 { return .bytes(count) }
        if count == 0 { return .ended }
        return errno == EAGAIN || errno == EINTR ? .wouldBlock : .failed
    }

    static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Outcome {
        let count = send(descriptor, bytes.baseAddress, bytes.count, 0)
        if count >= 0 { return .bytes(count) }
        return errno == EAGAIN || errno == EINTR ? .wouldBlock : .failed
    }

    /// Tells the other side that nothing follows.
    /// Bytes that the kernel holds because the other side has not acknowledged them.
    static func unacknowledged(_ descriptor: Int32) -> Int {
        var count: Int32 = 0
        #if canImport(Darwin)
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_NWRITE, &count, &length)
        #else
        _ = ioctl(descriptor, UInt(TIOCOUTQ), &count)
        #endif
        return Int(count)
    }

    /// Makes the next ``shut(_:)`` break the connection instead of ending it, so that the other side does not take what
    /// it has for everything.
    static func breakWhenShut(_ descriptor: Int32) {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    }

    static func endWriting(_ descriptor: Int32) { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    static func shut(_ descriptor: Int32) { _ = close(descriptor) }

    /// Closes a socket that listens. A program that is being started at this moment has a copy of it for an instant, so
    /// closing alone would leave something that others can still connect to.
    static func endListening(_ descriptor: Int32) {
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
        shut(descriptor)
    }

    static func isNumeric(_ host: String) -> Bool {
        var storage = in6_addr()
        return inet_pton(AF_INET, host, &storage) == 1 || inet_pton(AF_INET6, host, &storage) == 1
    }

    /// The address as digits, without the port.
    static func numericName(_ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> String? {
        var name = [CChar](repeating: 0, count: 64)
        guard getnameinfo(address, length, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0,
            let end = name.firstIndex(of: 0)
        else { return nil }
        return String(decoding: name[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Small messages must not wait for each other (Nagle's algorithm off).
    private static func sendPromptly(_ descriptor: Int32) {
        var on: Int32 = 1
        setsockopt(descriptor, tcp, TCP_NODELAY, &on, 4)
    }

    private static func localPort(_ descriptor: Int32) -> Int? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard status == 0 else { return nil }
        // The port is at the same place in both families, in network byte order.
        return withUnsafeBytes(of: storage) { Int($0[2]) << 8 | Int($0[3]) }
    }

    private static func withAddress<Result>(
        _ host: String,
        _ port: Int,
        passive: Bool,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result?
    ) -> Result? {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | (passive ? AI_PASSIVE : 0)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0, let first = list else { return nil }
        defer { freeaddrinfo(list) }
        guard let address = first.pointee.ai_addr else { return nil }
        return body(address, first.pointee.ai_addrlen)
    }
}

#if os(Linux)
internal import CSeccomp
internal import Components
internal import Platform

/// Starts programs with nothing of this process but what they are given.
enum Spawn {
    /// Where a confined component finds its socket, and bubblewrap the pipe that it reports to.
    static let socket: Int32 = 3
    static let report: Int32 = 4

    struct Child {
        var process: pid_t
        /// This process' end of the socket.
        var socket: Int32
        /// What the child says on its standard error, and bubblewrap of what it did.
        var report: Int32
        /// Can be read when the process has ended.
        var end: Int32

        func close() { for descriptor in [socket, report, end] { _ = Glibc.close(descriptor) } }
    }

    /// The child dies with the thread that calls this.
    static func start(_ words: [String]) throws(ComponentError) -> Child {
        var sockets: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0, &sockets) == 0 else {
            throw failure("no socket is to be had")
        }
        defer { close(sockets[1]) }
        var pipes: [Int32] = [-1, -1]
        guard pipe2(&pipes, O_CLOEXEC | O_NONBLOCK) == 0 else {
            close(sockets[0])
            throw failure("no pipe is to be had")
        }
        defer { close(pipes[1]) }
        guard let process = spawn(words, [(pipes[1], 2), (sockets[1], socket), (pipes[1], report)]) else {
            close(sockets[0])
            close(pipes[0])
            throw failure("\(words[0]) does not start")
        }
        _ = fcntl(sockets[0], F_SETFL, O_NONBLOCK)
        let child = Child(
            process: process, socket: sockets[0], report: pipes[0], end: alcove_pidfd_open(process))
        guard child.end >= 0 else {
            kill(-process, SIGKILL)
            wait(for: process)
            child.close()
            throw failure("the system does not tell when \(words[0]) ends")
        }
        return child
    }

    /// Runs a program of our own to its end.
    static func output(of words: [String]) throws(ComponentError) -> String {
        var pipes: [Int32] = [-1, -1]
        guard pipe2(&pipes, O_CLOEXEC) == 0 else { throw failure("no pipe is to be had") }
        let child = spawn(words, [(pipes[1], 1)])
        close(pipes[1])
        defer { close(pipes[0]) }
        guard let child else { throw failure("\(words[0]) does not start") }
        let text = read(pipes[0], atMost: 1 << 16)
        let status = wait(for: child)
        guard status == 0 else { throw failure("\(words[0]) ended with status \(status)") }
        return text
    }

    @discardableResult
    private static func wait(for process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        return status
    }

    /// What there is to read, up to the end or to what would block.
    static func read(_ descriptor: Int32, atMost limit: Int) -> String {
        var bytes: [UInt8] = []
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
            while bytes.count < limit {
                let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return }
                bytes.append(contentsOf: buffer[..<count])
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// - Parameter descriptors: which of ours become which of the child's; it gets no others.
    private static func spawn(_ words: [String], _ descriptors: [(Int32, Int32)]) -> pid_t? {
        var start = ProgramStart(words)
        for (own, childs) in descriptors { start.streams[childs] = .descriptor(own) }
        // Control-C in a terminal is for this process, which then stops its components in order.
        start.group = .own
        let (process, error) = start.start()
        return error == 0 ? process : nil
    }

    private static func failure(_ text: String) -> ComponentError {
        ComponentError(.unavailable, "an app cannot be started: \(text)")
    }
}
#endif

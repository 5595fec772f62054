internal import Platform
internal import Synchronization

/// Serves the pipes of one program until it is gone, on the thread that started it.
struct AgentProcessLoop {
    let process: AgentProcess
    let pipes: AgentPipes
    let number: pid_t

    private var isInputOpen = true
    private var (isOutputOpen, isErrorOpen) = (true, true)
    private var hasExited = false
    private var end = AgentProcess.End.unknown
    /// How many of the graces are over, and when the present one is, in milliseconds of the monotonic clock.
    private var (stage, deadline): (Int, Int64?) = (0, nil)

    init(process: AgentProcess, pipes: AgentPipes, number: pid_t) {
        (self.process, self.pipes, self.number) = (process, pipes, number)
    }

    /// How often the thread looks whether the program has ended, in milliseconds.
    private static let beat: Int32 = 100

    mutating func run() {
        blockBrokenPipes()
        while !hasExited || isOutputOpen {
            let wasQuiet = serveOnce()
            notice()
            // Something that the program left behind may hold the pipe open for ever.
            if hasExited, wasQuiet { closeOutput() }
        }
        finish()
    }

    /// Writing to a program that is gone is an error to handle, and no signal.
    private func blockBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Waits for the pipes once.
    /// - Returns: whether the program had the chance to say something and did not.
    private mutating func serveOnce() -> Bool {
        let (reads, writes, isStopping) = process.state.withLock { state in
            (
                state.isStopping || state.incoming.count < AgentProcess.highWater, !state.outgoing.isEmpty,
                state.isStopping
            )
        }
        if isStopping { beginToStop() }
        var waits = [
            pollfd(fd: pipes.wakeReader, events: Int16(POLLIN), revents: 0),
            pollfd(fd: isOutputOpen && reads ? pipes.output : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: isErrorOpen ? pipes.error : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: isInputOpen && writes ? pipes.input : -1, events: Int16(POLLOUT), revents: 0),
        ]
        let count = poll(&waits, 4, Self.beat)
        if waits[0].revents != 0 { _ = receive(pipes.wakeReader) }
        if waits[2].revents != 0 { readError() }
        if waits[3].revents != 0 { writeInput() }
        if waits[1].revents != 0 {
            readOutput()
            return false
        }
        return count == 0 && reads
    }

    // MARK: Its pipes

    /// What can be read at once; nil at the end.
    private func receive(_ descriptor: Int32) -> [UInt8]? {
        withUnsafeTemporaryAllocation(byteCount: 64 * 1024, alignment: 1) { buffer in
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            if count < 0, errno == EAGAIN || errno == EINTR { return [] }
            return count > 0 ? Array(buffer[..<count]) : nil
        }
    }

    private mutating func readOutput() {
        guard let bytes = receive(pipes.output) else { return closeOutput() }
        let reader = process.state.withLock { state -> CheckedContinuation<[UInt8]?, Never>? in
            guard !state.isStopping, !bytes.isEmpty else { return nil }
            defer { state.reader = nil }
            if state.reader == nil { state.incoming += bytes }
            return state.reader
        }
        reader?.resume(returning: bytes)
    }

    private mutating func closeOutput() {
        isOutputOpen = false
        // A program that says nothing any more is of no use.
        if !hasExited { beginToStop() }
        let reader = process.state.withLock { state in
            state.isOutputOver = true
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }

    private mutating func readError() {
        guard let bytes = receive(pipes.error) else { return isErrorOpen = false }
        process.state.withLock { state in
            state.standardError += bytes
            state.errorCount += bytes.count
            let excess = state.standardError.count - AgentProcess.errorBytes
            if excess > 0 { state.standardError.removeFirst(excess) }
        }
    }

    private mutating func writeInput() {
        let isBroken = process.state.withLock { state in
            let count = state.outgoing.withUnsafeBytes { write(pipes.input, $0.baseAddress, $0.count) }
            if count > 0 { state.outgoing.removeFirst(count) }
            return count < 0 && errno != EAGAIN && errno != EINTR
        }
        if isBroken { closeInput() }
    }

    private mutating func closeInput() {
        guard isInputOpen else { return }
        isInputOpen = false
        close(pipes.input)
        process.state.withLock { $0.outgoing = [] }
    }

    // MARK: Its end

    private var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    private mutating func beginToStop() {
        guard deadline == nil, stage == 0 else { return }
        closeInput()
        deadline = now + AgentProcess.graces[0]
    }

    /// Looks whether the program has ended, and goes on with ending it.
    private mutating func notice() {
        guard !hasExited else { return }
        // It stays a zombie, so that the number of its group is not given to others before what it left behind is ended.
        var information = siginfo_t()
        if waitid(P_PID, id_t(number), &information, WEXITED | WNOHANG | WNOWAIT) == 0, hasEnded(information) {
            kill(-number, SIGKILL)
            var status: Int32 = 0
            if waitpid(number, &status, 0) == number {
                end = status & 0x7F == 0 ? .status(status >> 8 & 0xFF) : .signal(status & 0x7F)
            }
            hasExited = true
            return closeInput()
        }
        guard let deadline, now >= deadline else { return }
        kill(-number, stage == 0 ? SIGTERM : SIGKILL)
        stage += 1
        self.deadline = stage < AgentProcess.graces.count ? now + AgentProcess.graces[stage] : nil
    }

    private func hasEnded(_ information: siginfo_t) -> Bool { information.si_signo == SIGCHLD }

    private mutating func finish() {
        closeInput()
        while isErrorOpen, let bytes = receive(pipes.error), !bytes.isEmpty {
            process.state.withLock { state in
                state.standardError = (state.standardError + bytes).suffix(AgentProcess.errorBytes)
                state.errorCount += bytes.count
            }
        }
        let mourners = process.state.withLock { state in
            state.end = end
            pipes.close(withInput: false)
            defer { state.mourners = [] }
            return state.mourners
        }
        for mourner in mourners { mourner.resume() }
    }
}

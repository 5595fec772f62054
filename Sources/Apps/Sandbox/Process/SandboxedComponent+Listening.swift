#if os(Linux)
internal import ComponentRuntime
internal import Components
internal import Platform
internal import Synchronization
internal import Wire

/// All of this happens on the loop's thread.
extension SandboxedComponent {
    func ready(reads: Bool, writes: Bool) {
        if writes {
            let taken = state.withLock { state -> (@Sendable () -> Void)? in
                guard let socket = state.child?.socket, !state.isOver else { return nil }
                guard state.output.flush(over: socket) else { return nil }
                loop.wantsToWrite(false, state.ids.socket, socket)
                return state.taken
            }
            taken?()
        }
        guard reads, let child = state.withLock({ $0.isOver ? nil : $0.child }) else { return }
        let hasEnded = hear(child.socket, upTo: 1 << 18)
        guard let status = reap(child) else {
            guard hasEnded else { return }
            // It is about to end, or has no peer any more.
            state.withLock { state in
                loop.stopListening(child.socket)
                if state.deadline == nil { state.deadline = .now + Self.patience }
            }
            return
        }
        // All that it wrote is there. The end may not come: others that it started may hold the socket.
        if !hasEnded { _ = hear(child.socket, upTo: .max) }
        conclude(status, report: Spawn.read(child.report, atMost: 4096))
    }

    /// How the process ended; nil while it runs. What it leaves of its group ends with it.
    private func reap(_ child: Spawn.Child) -> Int32? {
        state.withLock { state in
            var found = siginfo_t()
            let options = WEXITED | WNOHANG | WNOWAIT
            guard waitid(P_PID, id_t(child.process), &found, options) == 0, found.si_signo == SIGCHLD else {
                return nil
            }
            kill(state)
            var status: Int32 = 0
            guard waitpid(child.process, &status, WNOHANG) == child.process else { return nil }
            state.isReaped = true
            return status
        }
    }

    /// Reads what is there; true at the end. A busy component does not keep others waiting: it is read up to `limit` bytes.
    private func hear(_ socket: Int32, upTo limit: Int) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
            var total = 0
            while total < limit {
                let count = recv(socket, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return count == 0 || errno != EAGAIN }
                total += count
                do {
                    input.withLock { $0.append(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
                    while let frame = try input.withLock({ try $0.next() }) {
                        take(try ComponentFrame(decoding: frame))
                    }
                    guard hasRoom() else { return true }
                } catch {
                    state.withLock { condemn(.crashed("it broke the sandbox protocol: \(error)"), &$0) }
                    return true
                }
                if count < buffer.count { return false }
            }
            return false
        }
    }

    /// Counts what is there of a message that is not complete. Ends the component if that is too much, with what others send.
    private func hasRoom() -> Bool {
        inputMemory.count(input.withLock { $0.capacity })
        guard inputMemory.isOver else { return true }
        state.withLock { condemn(.exceeded("memory for its messages"), &$0) }
        return false
    }

    private func take(_ frame: ComponentFrame) {
        let job = state.withLock { state -> Job? in
            state.pulse.hear()
            return state.verdict == nil ? state.job : nil
        }
        switch frame {
        case .pong: break
        case .ready: becomeReady()
        case .started: answer(.success(()))
        case .refused(let error): answer(.failure(error))
        case .event(.ended(let end)): state.withLock { $0.said = end }
        case .event(let event): job?.events(self, event)
        }
    }

    private func becomeReady() {
        state.withLock { state in
            guard !state.isReady, let child = state.child else { return }
            state.isReady = true
            state.status = ProcessStatus(report: Spawn.read(child.report, atMost: 4096))
            if state.status == nil { return condemn(.crashed("bubblewrap does not name its process"), &state) }
            if let job = state.job { transmit(.launch(job.launch), &state) }
        }
    }

    private func answer(_ result: Result<Void, ComponentError>) {
        let started = state.withLock { state -> (@Sendable (Result<Void, ComponentError>) -> Void)? in
            // Without something to run nobody waits for the answer yet.
            guard !state.hasAnswered, let job = state.job else { return nil }
            state.hasAnswered = true
            return job.started
        }
        started?(result)
    }

    /// Looks after it now and then.
    func look(at now: ContinuousClock.Instant) {
        state.withLock { state in
            guard !state.isOver, state.child != nil else { return }
            if let deadline = state.deadline { return deadline < now ? kill(state) : () }
            guard let limits = state.job?.launch.limits, state.verdict == nil else { return }
            if let figures = state.status?.figures,
                let excess = state.meter.look(at: now, figures, limits)
            {
                return condemn(.exceeded(excess), &state)
            }
            switch state.pulse.look(at: now, silence: limits.silence) {
            case .fine: break
            case .ask: transmit(.ping, &state)
            case .hung: condemn(.hung, &state)
            }
        }
    }

    /// The process is gone.
    private func conclude(_ status: Int32, report: String) {
        let (verdict, said, meter, isReady, job) = state.withLock { state in
            (state.verdict, state.said, state.meter, state.isReady, state.job)
        }
        guard isReady else {
            let text = report.split(separator: "\n").filter { !$0.hasPrefix("{") }.joined(separator: "; ")
            let error = ComponentError(
                .unavailable,
                "the sandbox for apps cannot be built: \(text.isEmpty ? "alcove-component ended at once" : text); "
                    + "bubblewrap needs user name spaces (sysctl user.max_user_namespaces)")
            return finish(verdict ?? .crashed(error.message), error)
        }
        // bubblewrap ends like what it ran: 128 and the number of the signal.
        let code = status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
        var crash = ComponentEnd.crashed(code > 128 ? "signal \(code - 128)" : "it ended by itself")
        if code > 128, let limits = job?.launch.limits, meter.isNearly(limits.memory) { crash = .exceeded("memory") }
        let end = verdict ?? said ?? crash
        finish(
            end, ComponentError(end == .hung ? .timeout : .limit, "the component ended before it had started: \(end)"))
    }

    /// Tells everybody, once.
    func finish(_ end: ComponentEnd, _ error: ComponentError) {
        let (job, waiting) = state.withLock { state -> (Job?, [@Sendable () -> Void]) in
            guard !state.isOver else { return (nil, []) }
            state.isOver = true
            if let child = state.child {
                for descriptor in [child.socket, child.end] { loop.stopListening(descriptor) }
                child.close()
            }
            state.status?.close()
            state.status = nil
            state.output = OutputBuffer()
            inputMemory.count(0)
            defer { state.waiting = [] }
            return (state.job, state.waiting)
        }
        // After it is known to be over: it could else be given something to run between the two, whose start nobody would answer.
        answer(.failure(error))
        let ids = state.withLock { $0.ids }
        loop.remove(ids.socket)
        loop.remove(ids.process)
        job?.events(self, .ended(end))
        for body in waiting { body() }
    }
}
#endif

internal import AgentProtocols
internal import Errors
internal import Networking
internal import Platform

/// An agent of this machine that runs under an ``AgentSupervisor``, in another process: it goes on when this process ends in the middle of a turn.
package actor SupervisedAgent: AgentProvider {
    /// What to go on with after this process began anew.
    package struct Resumption: Sendable, Hashable {
        /// Names the supervisor, as ``AgentLinkEvent/supervised(by:)`` told.
        package var supervisor: String
        /// The last event that was heard and kept.
        package var after: Int

        package init(supervisor: String, after: Int) { (self.supervisor, self.after) = (supervisor, after) }
    }

    package nonisolated let events = AgentEvents()
    private let program: SupervisedProgram
    private let place: SupervisorPlace
    private let resumption: Resumption?
    private let former: String?
    private var supervisor = ""
    private var channel: LineChannel?
    /// The supervisor's process.
    private var process: pid_t?
    private var listener: Task<Void, Never>?
    /// The last event that was told here, and the one with which everything of the meantime was.
    private var heard = 0
    private var catchUp: Int?
    private var nextNumber = 1
    private var waiting: [Int: CheckedContinuation<Result<Void, AgentError>, Never>] = [:]
    private var starting: CheckedContinuation<Result<Void, AgentError>, Never>?
    private var end: AgentError??
    private var (isStopping, isLeaving) = (false, false)
    package private(set) var seesPictures: Bool?
    package private(set) var hasBegun = false
    package private(set) var log = ""

    /// - Parameters:
    ///   - resumption: goes on with an agent that runs, and starts none.
    ///   - former: the supervisor of an earlier run in this session. If it still runs, it is ended first: two agents must not work in one session.
    package init(
        _ program: SupervisedProgram, at place: SupervisorPlace, resuming resumption: Resumption? = nil,
        insteadOf former: String? = nil
    ) {
        (self.program, self.place, self.resumption, self.former) = (program, place, resumption, former)
    }

    // MARK: The start

    package func start() async throws(AgentError) {
        guard channel == nil, end == nil else { throw AgentError(.busy, "\(name) was started already") }
        do {
            let channel = try await open()
            self.channel = channel
            listener = Task { await self.listen(to: channel) }
            try await ready(channel)
        } catch {
            finish(error)
            // Stopped meanwhile, or without an agent: nobody else ends it.
            if !isLeaving { channel?.send(SupervisorWish.stop.line) }
            throw error
        }
    }

    private var name: String { program.program.name }

    private func open() async throws(AgentError) -> LineChannel {
        if let resumption {
            guard SupervisorPlace.isID(resumption.supervisor) else { throw AgentError(.ended, "\(name) is gone") }
            (heard, supervisor) = (max(resumption.after, 0), resumption.supervisor)
            // A process that was killed may have said it to nobody.
            events.add(.link(.supervised(by: resumption.supervisor)))
            return try place.connect(to: resumption.supervisor)
        }
        if let former { await place.endSupervisor(former) }
        // What cannot be started needs no process that says so.
        _ = try program.program.command()
        let id = SupervisorPlace.freshID()
        supervisor = id
        let process = try place.launch(id)
        self.process = process
        let channel = try await place.connect(to: id, process)
        // Before anything is asked: a process that is killed from here on has to be able to come back to it.
        events.add(.link(.supervised(by: id)))
        return channel
    }

    private func ready(_ channel: LineChannel) async throws(AgentError) {
        let wish = resumption.map { SupervisorWish.resume(after: $0.after) } ?? .start(program.object)
        try await withCheckedContinuation { (continuation: CheckedContinuation<Result<Void, AgentError>, Never>) in
            if let end { return continuation.resume(returning: .failure(end ?? notRunning)) }
            starting = continuation
            channel.send(wish.line)
        }.get()
    }

    // MARK: What a person does

    package func prompt(_ prompt: AgentPrompt) async throws(AgentError) {
        try prompt.check()
        try await ask {
            .prompt(number: $0, turn: prompt.turn ?? 0, text: prompt.text, pictures: prompt.pictures.map(\.base64))
        }
    }

    package func cancel() async { channel?.send(SupervisorWish.cancel.line) }

    package func answer(_ request: AgentPermission.ID, option: String?) async throws(AgentError) {
        try await ask { .answer(number: $0, request: request.number, option: option) }
    }

    package func give(_ request: AgentPermission.ID, _ text: String) async throws(AgentError) {
        try await ask { .give(number: $0, request: request.number, text: text) }
    }

    package func choose(_ kind: AgentSetting.Kind, _ option: String) async throws(AgentError) {
        try await ask { .choose(number: $0, kind: kind.word, option: option) }
    }

    package func heard(upTo position: Int) async { channel?.send(SupervisorWish.taken(through: position).line) }

    private var notRunning: AgentError { AgentError(.notRunning, "\(name) is not running") }

    /// Wants something, and waits until it is done.
    private func ask(_ wish: (_ number: Int) -> SupervisorWish) async throws(AgentError) {
        let number = nextNumber
        nextNumber += 1
        try await withCheckedContinuation { (continuation: CheckedContinuation<Result<Void, AgentError>, Never>) in
            guard end == nil, let channel else { return continuation.resume(returning: .failure(notRunning)) }
            waiting[number] = continuation
            channel.send(wish(number).line)
        }.get()
    }

    // MARK: The supervisor

    private func listen(to channel: LineChannel) async {
        // After its end it is heard until that is kept, and acknowledged.
        while let line = await channel.next() {
            guard let report = try? SupervisorReport(line) else {
                // One of another version must not go on with nobody to hear it.
                end(by: SIGKILL)
                break
            }
            if end == nil { await take(report) }
        }
        channel.cut()
        if !isLeaving, end == nil {
            finish(isStopping ? nil : AgentError(.ended, "the process that ran \(name) ended"))
            // It may have hung up because it is of another version: nobody would hear what its agent does.
            await place.endSupervisor(supervisor)
        }
        await reap()
    }

    private func take(_ report: SupervisorReport) async {
        switch report {
        case .ready(let process, let last, let turn, let sees):
            if self.process == nil { self.process = pid_t(clamping: process) }
            (seesPictures, hasBegun) = (sees, turn > 0)
            catchUp = resumption == nil ? nil : last
            starting.take()?.resume(returning: .success(()))
            await tellBack()
        case .event(let sequence, let event):
            guard sequence > heard else { return }
            // Some were dropped that were acknowledged here, and then lost with the power: it says that something is missing.
            if sequence > heard + 1 { await events.send(.text(AgentText("", omitted: sequence - heard - 1))) }
            heard = sequence
            await tell(event)
            await tellBack()
        case .done(let number, let code, let message):
            let error = code.map { AgentError(AgentErrorCode(rawValue: $0) ?? .refused, message) }
            waiting.removeValue(forKey: number)?.resume(returning: error.map { .failure($0) } ?? .success(()))
        case .log(let text): log = text
        }
    }

    /// What was said and up to where it goes are one step: between them this process may be killed.
    private func tell(_ event: SharedEvent) async {
        let position = AgentEvent.link(.position(heard))
        guard let said = AgentEvent(supervised: event) else { return await events.send([position]) }
        guard case .ended(let error) = said else { return await events.send([said, position]) }
        finish(error, at: position)
    }

    private func tellBack() async {
        guard let last = catchUp, heard >= last else { return }
        catchUp = nil
        await events.send([.link(.back)])
    }

    // MARK: The end

    /// Ends everything, once. The first reason counts.
    private func finish(_ error: AgentError?, at position: AgentEvent? = nil) {
        guard end == nil else { return }
        end = .some(error)
        failWaiters(error)
        _ = events.add([position, .ended(error)].compactMap(\.self))
        events.close()
    }

    /// What was wanted has gone out, and may have been done: that it was not running would say more than is known.
    private func failWaiters(_ error: AgentError?) {
        starting.take()?.resume(returning: .failure(error ?? notRunning))
        for waiter in waiting.values {
            waiter.resume(returning: .failure(error ?? AgentError(.ended, "\(name) was stopped")))
        }
        waiting = [:]
    }

    /// How long the agent may take to end: what ``AgentProcess/graces`` give it, and some more.
    static let grace = Duration.seconds(8)

    package func stop() async {
        isStopping = true
        guard let channel else { return finish(nil) }
        channel.send(SupervisorWish.stop.line)
        await untilGone(channel, orKill: true)
        finish(nil)
    }

    private func untilGone(_ channel: LineChannel, orKill kills: Bool) async {
        let deadline = Task {
            try await Task.sleep(for: Self.grace)
            if kills { self.end(by: SIGKILL) }
            channel.cut()
        }
        await listener?.value
        deadline.cancel()
    }

    /// The agent goes on with a turn that is under way: nothing is told of an end, and the next process hears the rest.
    package func leave() async {
        isLeaving = true
        channel?.send(SupervisorWish.leave.line)
        if end == nil {
            end = .some(nil)
            failWaiters(nil)
        }
        events.close()
        // It hangs up: at once if it goes on, and otherwise when the agent is gone.
        if let channel { await untilGone(channel, orKill: false) }
    }

    private func end(by signal: Int32) { if let process { kill(process, signal) } }

    /// A process that ended stays a zombie until its parent asks for its status. That is this process also where an earlier program in it, before
    /// `alcove host restart`, started it.
    private func reap() async {
        guard let process else { return }
        var status: Int32 = 0
        for _ in 0..<(isLeaving ? 4 : 200) {
            if waitpid(process, &status, WNOHANG) != 0 { return }
            try? await Task.sleep(for: .milliseconds(50))
        }
    }
}

/// What is known of the conversation with the agent of a served session: a value without I/O, which takes what clients and the owner of this machine
/// do and what the agent says, and tells what comes of it. Sessions of this machine's own person are the core's, which a gateway knows nothing of.
///
/// It is total: an event that is late, doubled or about something unknown changes nothing, or is taken as what it can still mean. What the agent
/// makes it keep is bounded by ``ServedConversationLimits``.
package struct ServedConversation: Sendable, Hashable {
    /// How it stands, as a person is told.
    package enum Status: Sendable, Hashable {
        /// Nothing was asked yet.
        case ready
        /// A turn is under way.
        case running
        /// A turn waits until requests are answered.
        case waitsForPerson
        /// The last turn is over.
        case done(AgentStop)
        /// The agent ended in the middle of a turn: what it still did is not known. Milliseconds since 1970.
        case unknown(since: Int64)
        /// The agent has ended, and no turn was under way.
        case ended
    }

    package private(set) var status = Status.ready
    /// Prompts that wait for the end of the turn, in order.
    package var queue: [AgentPrompt] { waiting.map(\.prompt) }
    private var waiting: [Waiting] = []
    /// The device whose prompt is under way, or was last.
    private(set) var device: String?

    private struct Waiting: Sendable, Hashable {
        let prompt: AgentPrompt
        /// Who asks it.
        let device: String?
    }

    /// Requests that wait for the person, in the order in which they came. Each has the call as it is shown.
    package private(set) var open: [ServedRequest] = []
    private var calls = ServedCalls()
    /// Numbers of requests only go up; one that was asked before is not asked again.
    private var lastRequest = 0

    package init() {}

    /// Whether a turn is under way.
    package var isInTurn: Bool {
        switch status {
        case .running, .waitsForPerson: true
        case .ready, .done, .unknown, .ended: false
        }
    }

    /// Whether the agent can be asked nothing any more.
    package var isOver: Bool {
        switch status {
        case .unknown, .ended: true
        case .ready, .running, .waitsForPerson, .done: false
        }
    }

    // MARK: What a person does

    /// Something to ask: at once, or after the turn.
    /// - Parameter device: who asks it, for ``drop(of:)``.
    package mutating func ask(_ prompt: AgentPrompt, of device: String? = nil) -> ServedChange {
        guard !isOver else { return .refused(prompt, .over) }
        guard (try? prompt.check()) != nil else { return .refused(prompt, .tooLong) }
        guard isInTurn else {
            (status, self.device) = (.running, device)
            return .send(prompt)
        }
        let bytes = waiting.reduce(prompt.bytes) { $0 + $1.prompt.bytes }
        guard waiting.count < ServedConversationLimits.queued,
            bytes <= AgentLimits.promptBytes + AgentLimits.pictureBytes
        else {
            return .refused(prompt, .tooMany)
        }
        waiting.append(Waiting(prompt: prompt, device: device))
        return .queued(prompt)
    }

    /// Nothing more is to happen: what waits is not asked.
    /// - Returns: what was waiting.
    package mutating func dropQueue() -> [AgentPrompt] {
        defer { waiting = [] }
        return queue
    }

    /// Devices are not let in any more: what they asked for and waits is not asked.
    mutating func drop(of devices: Set<String>) {
        waiting.removeAll { $0.device.map(devices.contains) ?? false }
    }

    /// The person's answer to a request, for exactly what was shown.
    /// - Returns: nil if the request is not open any more, or does not take this answer.
    package mutating func answer(_ id: AgentPermission.ID, _ choice: ServedChoice) -> ServedAnswer? {
        guard let index = open.firstIndex(where: { $0.id == id }), open[index].choices.contains(choice) else {
            return nil
        }
        let request = open.remove(at: index)
        followRequests()
        return request.answer(choice)
    }

    /// What a tool wants to be given.
    /// - Returns: nil if it does not want it any more.
    package mutating func give(_ id: AgentPermission.ID, _ text: String) -> ServedChange? {
        guard let index = open.firstIndex(where: { $0.id == id && $0.input != nil }) else { return nil }
        open.remove(at: index)
        followRequests()
        return .give(id, text)
    }

    /// The prompt did not reach the agent.
    package mutating func promptFailed(_ error: AgentError) -> [ServedChange] {
        guard isInTurn else { return [] }
        return end(.failed(error))
    }

    /// What nobody answered for ``GatewayServerLimits/answer`` is rejected: a request that stands for ever is answered some day by mistake.
    /// - Parameter now: milliseconds since 1970.
    mutating func expire(now: Int64) -> [ServedChange] {
        let patience = Int64(GatewayServerLimits.answer / .milliseconds(1))
        // A clock that was put back is no reason to wait longer than that from now on.
        let late = open.filter { now - $0.askedAt >= patience || $0.askedAt - now >= patience }
        guard !late.isEmpty else { return [] }
        open.removeAll(where: late.contains)
        followRequests()
        return late.flatMap { [.expired($0), .answer($0.answer(.reject))] }
    }

    // MARK: What the agent says

    /// - Parameter now: milliseconds since 1970.
    package mutating func take(_ event: AgentEvent, now: Int64) -> [ServedChange] {
        guard !isOver else { return [] }
        return switch event {
        case .text(let text): [.said(text)]
        case .reasoning(let text): [.thought(text)]
        case .rolledBack(let isWhole): isInTurn ? [.rolledBack(whole: isWhole)] : []
        case .toolCall(let call): told(call, isWhole: true)
        case .toolCallChanged(let call): told(call, isWhole: false)
        case .plan(let entries): [.planned(entries)]
        case .remark(let words): [.remarked(words)]
        case .permission(let permission): asked(permission, now)
        case .permissionGone(let id): withdrawn(id)
        case .usage(let usage): [.used(usage)]
        case .turnEnded(let stop): isInTurn ? end(stop) : []
        case .link(.away): [.lost]
        case .link(.back): [.found]
        case .ended(let error): over(error, now)
        // What a person said they know, and names of protocols say nothing to them.
        case .userText, .toolInput, .opened, .retold, .setting, .chosen, .mode, .title, .detail, .other,
            .unreadable, .link:
            []
        }
    }

    private mutating func told(_ call: AgentToolCall, isWhole: Bool) -> [ServedChange] {
        guard let (now, before) = calls.take(call, isWhole: isWhole) else { return [] }
        var changes = [ServedChange.called(now, before: before)]
        // What a person looks at is not what it would do now.
        for request in open where request.call.id == call.id && !request.isSame(with: call) {
            open.removeAll { $0.id == request.id }
            changes += [.changedUnderway(request), .answer(request.answer(.reject))]
        }
        followRequests()
        return changes
    }

    private mutating func asked(_ permission: AgentPermission, _ now: Int64) -> [ServedChange] {
        guard permission.id.number > lastRequest else { return [] }
        lastRequest = permission.id.number
        // It may name a call that was told before, and then shows it as it has become.
        let request = ServedRequest(permission, call: calls.merged(permission.toolCall), askedAt: now)
        guard isInTurn, open.count < AgentLimits.openRequests else { return [.answer(request.answer(.reject))] }
        open.append(request)
        followRequests()
        return [request.input == nil ? .asks(request) : .wants(request)]
    }

    private mutating func withdrawn(_ id: AgentPermission.ID) -> [ServedChange] {
        guard let index = open.firstIndex(where: { $0.id == id }) else { return [] }
        let request = open.remove(at: index)
        followRequests()
        return [.withdrawn(request)]
    }

    private mutating func end(_ stop: AgentStop) -> [ServedChange] {
        var changes = open.map(ServedChange.withdrawn)
        open = []
        status = .done(stop)
        changes.append(.turnEnded(stop))
        // After a failure or a stop nobody knows whether the next prompt still makes sense.
        guard case .done = stop else { return changes + unsent() }
        guard !waiting.isEmpty else { return changes }
        let next = waiting.removeFirst()
        (status, device) = (.running, next.device)
        return changes + [.send(next.prompt)]
    }

    private mutating func over(_ error: AgentError?, _ now: Int64) -> [ServedChange] {
        let changes = open.map(ServedChange.withdrawn)
        open = []
        status = isInTurn ? .unknown(since: now) : .ended
        return changes + unsent() + [.ended(error)]
    }

    private mutating func unsent() -> [ServedChange] { dropQueue().map { .refused($0, .turnFailed) } }

    private mutating func followRequests() {
        guard isInTurn else { return }
        status = open.isEmpty ? .running : .waitsForPerson
    }
}

/// How much of a conversation is kept.
package enum ServedConversationLimits {
    /// Prompts that wait for the end of a turn.
    package static let queued = 64
    /// Calls of tools that are remembered; the oldest go.
    package static let calls = 256
    /// Bytes of them together.
    package static let callBytes = 8 << 20
}

internal import AgentProtocols
internal import Errors
internal import Wire

// What comes of what the agent said, for the clients and in the history.

extension ServedTalk {
    mutating func steps(_ changes: [ServedChange]) -> [Step] {
        // A turn that goes on with what was put in is one turn for the clients.
        let goesOn = changes.contains { if case .send = $0 { true } else { false } }
        return changes.flatMap { settle(before: $0) + step($0, goesOn: goesOn) }
    }

    /// Anything else than more about the call that is held says that nothing more comes of it.
    private mutating func settle(before change: ServedChange) -> [Step] {
        if case .called(let call, _) = change, call.id == tools.held?.id { return [] }
        return tools.settle(into: &history).map { .tell($0) }
    }

    private mutating func step(_ change: ServedChange, goesOn: Bool) -> [Step] {
        switch change {
        case .said(let piece): return said(piece)
        case .thought(let piece): return [.tell(GatewayEvent(.reasoningDelta, ["text": .string(piece.text)]))]
        case .rolledBack(let isWhole):
            history.rollBack()
            if isWhole { tools.rollBack() }
            let again = GatewayEvent(.retryRollback, ["attempt": 1, "max": 1])
            return [.tell(isWhole ? again : GatewayEvent(.textReplace, ["text": ""]))]
        case .called(let call, _): return tools.take(call, into: &history).map { .tell($0) }
        case .used(let usage):
            let (input, output) = (usage.input ?? usage.used ?? 0, usage.output ?? 0)
            return [
                .tell(
                    GatewayEvent(
                        .tokens,
                        ["input": JSONValue(UInt64(max(input, 0))), "output": JSONValue(UInt64(max(output, 0)))]))
            ]
        case .asks(let request):
            let words = "Waits until the owner of the gateway's machine allows it"
            return [.tell(GatewayEvent(.statusDetail, ["detail": .string(words)])), .ask(request)]
        case .wants(let request):
            let words = (request.call.results ?? []).compactMap {
                if case .text(let text) = $0 { text.text } else { nil }
            }
            return [
                .tell(
                    GatewayEvent(
                        .stdinRequest,
                        [
                            "request_id": .string(String(request.id.number)), "prompt": .string(words.joined()),
                            "is_password": .bool(request.input == .secret), "tool_call_id": .string(request.call.id),
                        ]))
            ]
        case .give(let id, let text): return [.hand(id, text)]
        case .withdrawn(let request): return settled(request, .gone)
        case .expired(let request): return settled(request, .expired)
        case .changedUnderway(let request): return settled(request, .changed)
        case .answer(let answer): return [.give(answer)]
        case .send(let prompt):
            tools = ServedTools()
            history.add(role: "user", prompt.text)
            let injected = GatewayEvent(.softInterruptInjected, ["content": .string(prompt.text), "point": "D"])
            return [.tell(injected), .prompt(prompt)]
        case .turnEnded(let stop): return goesOn ? [] : ended(stop)
        case .ended(let error):
            let words = error?.message ?? "The agent was stopped"
            let last = turn.map { [Step.tell(Self.error($0, words))] } ?? []
            turn = nil
            return last + [.tell(GatewayEvent(.sessionCloseRequested, ["reason": "The agent has ended"])), .end]
        case .lost: return [.tell(GatewayEvent(.statusDetail, ["detail": "The gateway does not hear its agent"]))]
        case .remarked(let words): return [notice(words.text)]
        case .refused(let prompt, _): return [notAsked(prompt)]
        case .queued, .planned, .found: return []
        }
    }

    /// The owner of this machine hears of what could only be asked of them.
    private func settled(_ request: ServedRequest, _ outcome: ServedOutcome) -> [Step] {
        request.input == nil ? [.settle(request, outcome)] : []
    }

    private mutating func said(_ piece: AgentText) -> [Step] {
        guard !piece.text.isEmpty else { return [] }
        history.say(piece.text)
        return [.tell(GatewayEvent(.textDelta, ["text": .string(piece.text)]))]
    }

    private mutating func ended(_ stop: AgentStop) -> [Step] {
        guard let id = turn else { return [] }
        turn = nil
        let done = Step.tell(GatewayEvent(.done, ["id": JSONValue(id)]))
        func because(_ reason: String) -> [Step] {
            [.tell(GatewayEvent(.messageEnd, ["stop_reason": .string(reason)])), done]
        }
        switch stop {
        case .done: return because("end_turn")
        case .tokenLimit: return because("max_tokens")
        case .requestLimit: return because("max_turn_requests")
        case .refused: return because("refusal")
        case .other(let reason): return because(reason)
        case .cancelled: return [.tell(GatewayEvent(.interrupted)), done]
        case .failed(let error): return [.tell(Self.error(id, error.message))]
        }
    }
}

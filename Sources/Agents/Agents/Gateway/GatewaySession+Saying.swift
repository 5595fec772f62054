internal import AgentProtocols

// What is said in a turn, and what of it does not count any more. What a person was shown and what is compared with the history stay the same.

extension GatewaySession {
    mutating func say(_ text: String) -> [Step] {
        guard turn?.isHeld == false, !text.isEmpty else { return [] }
        turn?.shown.add(text)
        return [.tell(.text(AgentText(text)))]
    }

    /// The text since the last call is another one: most often a model spelled out a call, which a tool has taken out of it.
    mutating func replace(with text: String) -> [Step] {
        // What a person is not shown now, the history tells at the end.
        guard let known = turn, !known.isHeld else { return [] }
        let place = max(tools.last, known.injectedAt)
        if known.shown.isReached(by: text, behind: place), let rest = known.shown.rest(of: text, behind: place) {
            return say(rest)
        }
        turn?.shown.rollBack(to: place)
        return [.tell(.rolledBack(whole: false))] + say(text)
    }

    /// The message that is under way is asked for again: nothing of it counts.
    mutating func rollBack() -> [Step] {
        let place = max(tools.rollBack(), turn?.injectedAt ?? 0)
        turn?.shown.rollBack(to: place)
        return [.tell(.rolledBack(whole: true))]
    }

    /// What the history has of this turn and was not shown.
    mutating func catchUp(with history: GatewayHistory) -> [Step] {
        guard let place = beginOfTurn(in: history) else { return [] }
        let read = placeOfInterjection(in: history)
        let since = history.messages[(place + 1)...]
        let answer = since.filter(\.isAnswer).map(\.content).joined()
        var steps = rollBack(to: answer, isWhole: history.isComplete)
        var told = ""
        for (place, message) in zip(since.indices, since) {
            if message.isAnswer { told += message.content }
            if place == read {
                // It stands where the agent read it.
                steps += say(turn?.shown.rest(of: told) ?? "")
                turn?.noteInjection()
                steps += foundInterjection()
            }
            guard let tool = message.tool else { continue }
            // In order, so that what is rolled back later is what stands behind the call.
            steps += say(turn?.shown.rest(of: told) ?? "")
            steps += tools.took(tool, message, at: turn?.shown.end ?? 0).map { .tell($0) }
        }
        // If it does not begin with what was shown, all of it is told: better twice than never.
        return steps + say(turn?.shown.rest(of: answer) ?? "\n\n" + answer)
    }

    /// While there was no connection, the message that was under way may have been asked for again.
    /// - Parameter isWhole: whether the answer has everything that counts.
    private mutating func rollBack(to answer: String, isWhole: Bool) -> [Step] {
        guard let shown = turn?.shown, !shown.isTooLong else { return [] }
        guard shown.rest(of: answer) == nil || isWhole && !shown.isReached(by: answer) else { return [] }
        var (calls, settled) = (tools, shown)
        settled.rollBack(to: max(calls.rollBack(), turn?.injectedAt ?? 0))
        guard settled.rest(of: answer) != nil else { return [] }
        return rollBack()
    }
}

extension GatewayHistory.Message {
    fileprivate var isAnswer: Bool { role == "assistant" && tool == nil }
}

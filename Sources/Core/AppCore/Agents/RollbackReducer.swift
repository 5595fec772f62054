// What an agent said and does not mean any more: it is taken from the screen, and what is meant follows.

extension AgentTalk {
    /// Takes away the text since the last call of the turn that is under way. With `isWhole` thoughts go, too, and calls that did not begin, so that the
    /// last one that did is where it ends. What a person decided stays, and so does a call about which they are asked.
    /// - Returns: the numbers of the items that are gone.
    mutating func rollBack(isWhole: Bool) -> [Int] {
        guard session.isInTurn else { return [] }
        let asked = Set(session.approvals.map(\.call.id))
        var gone: [Int] = []
        search: for item in items.reversed() where item.turn == session.turn {
            switch item.content {
            case .text: gone.append(item.id)
            case .thought: if isWhole { gone.append(item.id) }
            case .called(let call):
                guard isWhole, call.status == "pending", !asked.contains(call.id) else { break search }
                gone.append(item.id)
            case .prompt: break search
            case .decided, .begunAnew, .notTakenUp, .usedTool, .remarked, .logged: break
            }
        }
        guard !gone.isEmpty else { return [] }
        let numbers = Set(gone)
        bytes -= items.reduce(0) { $0 + (numbers.contains($1.id) ? $1.bytes : 0) }
        items.removeAll { numbers.contains($0.id) }
        session.rolledBack = (session.rolledBack ?? 0).clampedSum(1)
        return gone
    }
}

extension AppState {
    mutating func rolledBack(isWhole: Bool, _ id: AgentSessionID, _ context: inout DispatchContext) {
        let gone = talks[id]?.rollBack(isWhole: isWhole) ?? []
        for item in gone { context.changed(.agentItem(id, item)) }
        if !gone.isEmpty { context.changed(.agentSession(id)) }
    }
}

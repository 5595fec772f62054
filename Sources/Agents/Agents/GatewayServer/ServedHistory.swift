internal import AgentProtocols
internal import Wire

/// What was said in a session that a gateway of ours serves, as far as it is kept. A plain value, in bounded memory.
struct ServedHistory: Sendable {
    /// A message. It grows in its place.
    private struct Said: Sendable {
        let role: String
        var content: String
        /// Bytes of it that were said before the last call of a tool.
        var settled = 0
        let tool: GatewayHistory.Tool?
        /// Of the call. A history that fills its bytes must not have more values than a client reads in one message, so each counts.
        private let toolBytes: Int

        init(_ role: String, _ content: String, _ tool: GatewayHistory.Tool?) {
            (self.role, self.content, self.tool) = (role, content, tool)
            toolBytes = tool.map { $0.name.utf8.count + $0.input.text.utf8.count + 32 * $0.input.count } ?? 0
        }

        var cost: Int { 256 + content.utf8.count + toolBytes }
    }

    private var all: [Said] = []
    private var bytes = 0

    var count: Int { all.count }
    var messages: [GatewayHistory.Message] {
        all.map { GatewayHistory.Message(role: $0.role, content: $0.content, tool: $0.tool) }
    }

    mutating func add(role: String, _ content: String, _ tool: GatewayHistory.Tool? = nil) {
        let message = Said(role, content, tool)
        all.append(message)
        bytes += message.cost
        makeRoom()
    }

    /// Goes on with the answer. One without end would never give way as one message.
    mutating func say(_ piece: String) {
        guard let last = all.indices.last, all[last].role == "assistant",
            all[last].content.utf8.count < GatewayServerLimits.messageOfHistory
        else { return add(role: "assistant", piece) }
        all[last].content += piece
        bytes += piece.utf8.count
        makeRoom()
    }

    /// A call of a tool begins: what was said until now stays.
    mutating func callBegins() {
        guard let last = all.indices.last, all[last].role == "assistant" else { return }
        all[last].settled = all[last].content.utf8.count
    }

    /// A call of a tool ended, or ended otherwise than was said. In each turn it has one message.
    mutating func callEnds(_ tool: GatewayHistory.Tool, _ output: String) {
        let turn = all.lastIndex { $0.role == "user" } ?? all.startIndex
        guard let place = all[turn...].lastIndex(where: { $0.tool?.id == tool.id }) else {
            return add(role: "tool", output, tool)
        }
        bytes -= all[place].cost
        all[place] = Said("tool", output, tool)
        bytes += all[place].cost
        makeRoom()
    }

    /// The answer since the last call of a tool does not count.
    mutating func rollBack() {
        while let last = all.last, last.role == "assistant" {
            guard last.settled == 0 else {
                bytes -= last.content.utf8.count - last.settled
                return all[all.count - 1].content = String(last.content.utf8.prefix(last.settled)) ?? ""
            }
            bytes -= last.cost
            all.removeLast()
        }
    }

    /// The oldest goes when there is too much. The last prompt stays: by it a client finds out whether it arrived.
    private mutating func makeRoom() {
        while bytes > GatewayServerLimits.historyBytes, all.count > 2 {
            let isPrompt = all[0].role == "user" && !all[1...].contains { $0.role == "user" }
            bytes -= all.remove(at: isPrompt ? 1 : 0).cost
        }
    }
}

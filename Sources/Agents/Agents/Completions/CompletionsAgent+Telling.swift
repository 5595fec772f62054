internal import AgentProtocols

extension CompletionsAgent {
    /// What came of an answer so far.
    struct Progress {
        /// What of the text stays in the conversation.
        var kept = ""
        var thoughts = CompletionThoughts()
        var calls: CompletionToolCalls
        var stop: AgentStop?
        var unreadable = 0

        init(prefix: String) { calls = CompletionToolCalls(prefix: prefix) }
    }

    /// Tells what a chunk says, as far as it can be told before the end.
    func tell(_ chunk: CompletionChunk, _ progress: inout Progress) async {
        if !chunk.reasoning.isEmpty { await events.send(.reasoning(AgentText(chunk.reasoning))) }
        let pieces = progress.thoughts.take(chunk.text)
        await say(pieces, &progress)
        for delta in chunk.toolCalls { progress.calls.add(delta) }
        if let usage = chunk.usage { await events.send(.usage(AgentUsage(input: usage.input, output: usage.output))) }
        if let reason = chunk.finishReason { progress.stop = AgentStop(finish: reason) }
    }

    /// Tells what waited for the end, however the answer ended. No tools are offered, so calls of some lead nowhere: each is told once, with all that
    /// it was to be given, and nobody waits for it.
    func tellRest(_ progress: inout Progress) async {
        let pieces = progress.thoughts.end()
        await say(pieces, &progress)
        for call in progress.calls.all {
            var told = AgentToolCall(id: call.id, title: call.name, status: "failed")
            if !call.arguments.isEmpty { told.input = AgentText(call.arguments, omitted: call.omitted) }
            told.results = [.text("no tools were offered to this model, so nothing was done")]
            await events.send(.toolCall(told))
        }
    }

    /// Thoughts stay out of the conversation: models are not told what they thought before.
    private func say(_ pieces: [CompletionThoughts.Piece], _ progress: inout Progress) async {
        for piece in pieces {
            switch piece {
            case .thought(let text): await events.send(.reasoning(AgentText(text)))
            case .text(let text):
                let room = Self.keptBytes - progress.kept.utf8.count
                if room > 0 { progress.kept += AgentText(text, limit: room).text }
                await events.send(.text(AgentText(text)))
            }
        }
    }
}

extension AgentStop {
    fileprivate init(finish reason: String) {
        self =
            switch reason {
            case "stop": .done
            case "length": .tokenLimit
            case "content_filter": .refused
            default: .other(AgentText.name(reason))
            }
    }
}

import Testing

@testable import Agents

/// What calls of tools make this process keep.
@Suite struct ToolCallBoundsTests {
    private static func call(_ number: Int, bytes: Int) -> AgentToolCall {
        var call = AgentToolCall(id: "call \(number)")
        call.paths = Array(repeating: String(repeating: "p", count: 4096), count: bytes / 4096)
        return call
    }

    @Test func `paths, names and titles count`() {
        var call = AgentToolCall(id: "a")
        let empty = call.bytes
        call.title = "12345678"
        call.results = [.other("12345678"), .difference(path: "12345678", old: nil, new: AgentText("12345678"))]
        #expect(call.bytes == empty + 8 + 64 + 8 + 64 + 16)
        #expect(Self.call(0, bytes: 1 << 20).bytes >= 1 << 20)
    }

    @Test func `calls of a conversation are forgotten when they hold too much`() {
        var calls = ServedCalls()
        for number in 0..<100 { _ = calls.take(Self.call(number, bytes: 1 << 20), isWhole: true) }
        let known = (0..<100).filter { calls.merged(AgentToolCall(id: "call \($0)")).paths != nil }
        #expect(known == Array(93..<100))
    }

    /// A call that grows counts with what it has become.
    @Test func `what an agent retells is bounded with the calls in it`() {
        var retelling = AgentRetelling()
        for number in 0..<100 {
            retelling.take(.toolCall(AgentToolCall(id: "call \(number)")))
            retelling.take(.toolCallChanged(Self.call(number, bytes: 1 << 20)))
        }
        #expect(retelling.parts.count < 8)
    }
}

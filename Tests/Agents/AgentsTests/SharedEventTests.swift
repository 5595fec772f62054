import AgentProtocols
import Errors
import Testing
import Wire

@testable import Agents

/// What an agent says comes to another person as it was said, as far as it goes.
@Suite struct SharedEventTests {
    private static let call: AgentToolCall = {
        var call = AgentToolCall(id: "c1", title: "Change a", status: "pending")
        call.kind = "edit"
        call.input = AgentText("{}")
        call.output = AgentText("out")
        call.results = [
            .text("x"), .difference(path: "/a", old: "o", new: "n"), .difference(path: "/b", old: nil, new: "n"),
            .other("terminal"),
        ]
        call.paths = ["/a", "/b"]
        return call
    }()

    private static let option = AgentPermission.Option(id: "y", name: "Yes", kind: "allow_once")

    private static let events: [AgentEvent] = [
        .text("a\u{1B}[31m é"), .text(AgentText("", omitted: 12)), .reasoning("hm"), .toolCall(call),
        .toolCallChanged(AgentToolCall(id: "c1", status: "completed")), .rolledBack(whole: false),
        .rolledBack(whole: true),
        .plan([AgentPlanEntry(content: "x", priority: "high", status: "pending")]),
        .permission(AgentPermission(id: .init(number: 3), toolCall: call, options: [option])),
        .permissionGone(.init(number: 3)), .usage(AgentUsage(input: 1, used: 5, size: 100)), .mode("ask"),
        .title("A title"), .detail("waits"), .remark(AgentText("{}", omitted: 3)), .other("x"), .turnEnded(.done),
        .turnEnded(.tokenLimit), .turnEnded(.requestLimit),
        .turnEnded(.refused), .turnEnded(.cancelled), .turnEnded(.other("pause")), .ended(nil),
    ]

    @Test(arguments: events) func `an event comes as it was said`(event: AgentEvent) throws {
        let shared = try #require(event.shared.first)
        #expect(event.shared.count == 1)
        #expect(AgentEvent(try SharedEvent(BoundedJSON.object(shared.bytes))) == event)
    }

    @Test func `an error comes without its words`() throws {
        let error = AgentError(.cannotStart, "there is no program /home/ada/secret")
        for event in [AgentEvent.turnEnded(.failed(error)), .ended(error)] {
            let shared = try #require(event.shared.first)
            #expect(!String(decoding: shared.bytes, as: UTF8.self).contains("secret"))
            switch AgentEvent(shared) {
            case .turnEnded(.failed(let other)), .ended(let other?): #expect(other.code == .cannotStart)
            case let other: Issue.record("\(String(describing: other))")
            }
        }
    }

    @Test func `what concerns the owner alone does not go`() {
        let events: [AgentEvent] = [.userText("x"), .toolInput(id: "c", "x"), .unreadable("x"), .link(.away)]
        #expect(events.flatMap(\.shared).isEmpty)
    }

    @Test func `a long answer goes in pieces, and nothing of it is lost`() {
        let text = String(repeating: "äöü 👩‍👩‍👧 ", count: 8000)
        let pieces = AgentEvent.text(AgentText(text)).shared
        #expect(pieces.count > 2 && pieces.allSatisfy { $0.bytes.count < SharingLimits.pieceBytes + 100 })
        #expect(pieces.compactMap { $0.object.string("text") }.joined() == text)
    }

    @Test(arguments: ["x", "\u{1}"]) func `a large call fits into a frame, and says what is missing`(letter: String)
        throws
    {
        var call = AgentToolCall(id: "c", title: "big")
        call.results = (0..<256).map { .text(AgentText(String(repeating: letter, count: 1 << 16) + "\($0)")) }
        call.output = AgentText(String(repeating: letter, count: 1 << 20))
        call.paths = (0..<256).map { _ in String(repeating: letter, count: 4096) }
        let asked = AgentPermission(id: .init(number: 1), toolCall: call, options: [Self.option])
        let shared = try #require(AgentEvent.permission(asked).shared.first)
        #expect(SharingFrame(.event(session: "s", sequence: 1, shared)).bytes.count <= SharingLimits.frameBytes)
        guard case .permission(let came)? = AgentEvent(shared) else { return #expect(Bool(false)) }
        #expect(came.options == [Self.option])
        let kept = came.toolCall.output.map { $0.text.utf8.count + $0.omitted }
        #expect(kept == 1 << 20)
    }
}

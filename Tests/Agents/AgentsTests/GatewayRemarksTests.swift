import AgentProtocols
import Testing
import Wire

@testable import Agents

/// What a gateway tells beside an answer, and of which session.
@Suite struct GatewayRemarksTests {
    private func session() -> GatewaySession {
        var session = GatewaySession(name: "a", folder: "/p", instance: "i")
        _ = session.connected()
        let history = session.joining?.history ?? 0
        _ = session.receive(#"{"type":"history","id":\#(history),"session_id":"s1","messages":[]}"#.utf8)
        return session
    }

    private func begin(_ session: inout GatewaySession) throws {
        _ = try session.prompt(AgentPrompt("go"))
        _ = session.receive(#"{"type":"ack","id":\#(session.turn?.id ?? 0)}"#.utf8)
    }

    private func told(_ session: inout GatewaySession, _ line: String) -> [AgentEvent] {
        session.receive(line.utf8).compactMap { if case .tell(let event) = $0 { event } else { nil } }
    }

    private static func image(_ label: String, _ source: String = "tool_result") -> String {
        #"{"media_type":"image/png","data":"AAAA","label":\#(label),"source":{"kind":"\#(source)"}}"#
    }

    private static func pane(_ images: String, session: String = "s1") -> String {
        #"{"type":"side_pane_images","session_id":"\#(session)","images":[\#(images)]}"#
    }

    private static let pictures: [(line: String, remark: String)] = [
        (
            #"{"type":"generated_image","id":"i","path":"/tmp/x/a fox.png","output_format":"png"}"#,
            "picture: a fox.png (png)"
        ),
        (#"{"type":"generated_image","id":"i","path":"","output_format":"webp"}"#, "picture: webp"),
        (#"{"type":"generated_image","id":"i","path":"/","output_format":""}"#, "picture: without a name"),
        (pane(image(#""preview""#)), "picture: preview (image/png)"),
        (pane(image(#""preview""#) + "," + image("null")), "pictures: preview (image/png), image/png"),
        (pane(image(#""mine""#, "user_input") + "," + image("null")), "picture: image/png"),
        (
            pane((1...10).map { image(#""\#($0)""#) }.joined(separator: ",")),
            "pictures: " + (1...8).map { "\($0) (image/png)" }.joined(separator: ", ") + " and 2 more"
        ),
    ]

    @Test(arguments: pictures) func `a picture is mentioned, once`(line: String, remark: String) throws {
        var session = session()
        try begin(&session)
        #expect(told(&session, line) == [.remark(AgentText(remark))])
        #expect(told(&session, line).allSatisfy { if case .other = $0 { true } else { false } })
    }

    private static let others: [String] = [
        pane(""), pane(image(#""a""#, "user_input")), pane(image(#""a""#), session: "s2"), pane("7,null"),
    ]

    @Test(arguments: others) func `what a person sent along, and other sessions, are not mentioned`(line: String) throws
    {
        var session = session()
        try begin(&session)
        #expect(told(&session, line) == [.other("side_pane_images")])
    }

    @Test func `names of pictures are bounded`() throws {
        var session = session()
        try begin(&session)
        let name = String(repeating: "n", count: 100_000)
        let events = told(&session, Self.pane((1...20).map { Self.image(#""\#(name)\#($0)""#) }.joined(separator: ",")))
        guard case .remark(let text)? = events.first else {
            Issue.record("nothing was said: \(events.count)")
            return
        }
        #expect(text.text.utf8.count <= AgentLimits.remarkBytes)
    }

    @Test func `what is not known is shown once in a turn for each kind`() throws {
        var session = session()
        let line = #"{"type":"kv_cache_request","system_static_hash":1,"tools_hash":2,"message_count":3}"#
        let other = #"{"type":"memory_activity","x":1}"#
        for _ in 0..<2 {
            try begin(&session)
            #expect(told(&session, line) == [.remark(AgentText(line))])
            #expect(told(&session, #"{"type":"kv_cache_request","tools_hash":4}"#) == [.other("kv_cache_request")])
            #expect(told(&session, other) == [.remark(AgentText(other))])
            #expect(told(&session, line) == [.other("kv_cache_request")])
            _ = session.receive(#"{"type":"done","id":\#(session.turn?.id ?? 0)}"#.utf8)
            #expect(told(&session, line) == [.other("kv_cache_request")], "nor behind it")
        }
    }

    @Test(arguments: [("s1", true), ("s2", false), ("", true)]) func `only our session is called otherwise`(
        named: String, isOurs: Bool
    ) {
        var session = session()
        let line = #"{"type":"session_renamed","session_id":"\#(named)","display_title":"Tidy"}"#
        let event: AgentEvent = isOurs ? .title("Tidy") : .other("session_renamed")
        #expect(told(&session, line) == [event])
    }

    @Test func `before the history the session is the one that is taken up`() {
        var session = GatewaySession(name: "a", folder: "/p", thread: "s1", instance: "i")
        _ = session.connected()
        for (named, event) in [("s2", AgentEvent.other("session_renamed")), ("s1", .title("Tidy"))] {
            let line = #"{"type":"session_renamed","session_id":"\#(named)","display_title":"Tidy"}"#
            #expect(told(&session, line) == [event])
        }
    }
}

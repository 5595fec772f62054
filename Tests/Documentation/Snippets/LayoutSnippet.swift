import AppCore
import Layout
import Scenarios
import Testing

/// The block on pictures in docs/simulator.md.
@Suite struct LayoutSnippet {
    // swift-format-ignore
    @Test func `a tree is laid out, touched, scrolled and drawn`() throws {
        var core = try Scenario.named("verified_chat").play().driver.core
        let room = try #require(core.state.rooms.first?.id)
        let now = Timestamp(milliseconds: 1_795_000_000_000)
        _ = core.dispatch(Input(at: now, fresh: Fresh(1, 2, 3, 4), action: .chat(.setDraft(room: room, text: "Hi"))))
        var state = ViewportState()

        let layout = Layout(of: try ViewNode(core.tree), viewport: .phone, state: state)
        let send = layout["chat.send"]?.bounds                     // in points of the viewport
        let hit = layout.hit(x: 340, y: 695, action: "tap")?.id    // what a touch reaches
        state = layout.scrolled("chat.messages", by: -200)
        let picture = layout.svg

        #expect(send != nil && hit == "chat.send" && picture.contains("<svg"))
    }
}

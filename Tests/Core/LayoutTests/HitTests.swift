import AppCore
import Layout
import Testing

@Suite struct HitTests {
    @Test func rectanglesAreHalfOpen() throws {
        let layout = Layout(of: Samples.rooms)
        let bounds = try #require(layout["rooms.create"]).bounds
        #expect(layout.hit(x: bounds.x, y: bounds.y)?.id == "rooms.create")
        #expect(layout.hit(x: bounds.maxX - 1, y: bounds.maxY - 1)?.id == "rooms.create")
        #expect(layout.hit(x: bounds.maxX, y: bounds.y)?.id != "rooms.create")
        #expect(layout.hit(x: bounds.x, y: bounds.maxY)?.id != "rooms.create")
    }

    @Test func nothingIsHitOutside() {
        let layout = Layout(of: Samples.rooms)
        for (x, y) in [(-1, 0), (0, -1), (390, 0), (0, 844), (.max, .max), (.min, .min)] {
            #expect(layout.hit(x: x, y: y) == nil)
            #expect(layout.hit(x: x, y: y, action: "tap") == nil)
        }
    }

    @Test func anActionClimbsToWhatOffersIt() throws {
        let layout = Layout(of: Samples.rooms)
        let pin = try #require(layout["room.1.pin"]).bounds
        #expect(layout.hit(x: pin.x, y: pin.y, action: "tap")?.id == "room.1.pin")
        let room = try #require(layout["room.1"]).bounds
        #expect(layout.hit(x: room.x + 2, y: room.y + 2, action: "tap")?.id == "room.1")
        #expect(layout.hit(x: room.x + 2, y: room.y + 2, action: "set_text") == nil)
    }

    @Test func whatIsNotEnabledTakesNothingAndLetsNothingThrough() throws {
        let layout = Layout(of: Samples.rooms)
        let up = try #require(layout["room.1.up"]).bounds
        #expect(layout.hit(x: up.x, y: up.y)?.id == "room.1.up")
        #expect(layout.hit(x: up.x, y: up.y, action: "tap") == nil)
    }

    @Test func whatIsNotVisibleHasNoPlace() {
        var tree = Samples.rooms
        tree.children[1].isVisible = false
        let layout = Layout(of: tree)
        #expect(layout["rooms.create"] == nil)
        #expect(!layout.svg.contains("New room"))
        tree.isVisible = false
        #expect(Layout(of: tree).frames.isEmpty)
        #expect(Layout(of: tree).hit(x: 10, y: 10) == nil)
    }

    @Test func scrollingChangesWhatIsHit() throws {
        let chat = Samples.chat(100)
        let end = Layout(of: chat)
        let window = try #require(end.scrollArea(around: "message.0")).window
        let atEnd = try #require(end.hit(x: 40, y: window.maxY - 30))
        #expect(atEnd.id == "message.99")
        #expect(end["message.0"]?.shown == nil)
        let start = Layout(of: chat, state: end.scrolled("message.50", by: -1_000_000))
        #expect(start["message.0"]?.shown != nil)
        #expect(start["message.99"]?.shown == nil)
        #expect(start.hit(x: 40, y: window.maxY - 30)?.id != "message.99")
        // The composer stays where it is, and is not hidden by what scrolls under it.
        let draft = try #require(end["chat.draft"]).bounds
        #expect(start["chat.draft"]?.bounds == draft)
        for y in draft.y..<draft.maxY { #expect(end.hit(x: 30, y: y, action: "set_text")?.id == "chat.draft") }
    }

    @Test func scrollingEndsWithTheContent() {
        let layout = Layout(of: Samples.chat(100))
        let up = layout.scrolled("chat.messages", by: .min)
        #expect(up.scroll["chat.messages"] == 0)
        #expect(layout.scrolled("chat.messages", by: .max).scroll["chat.messages"] == nil)
        let held = Layout(of: Samples.chat(100), state: ViewportState(scroll: ["chat.messages": .max]))
        #expect(held.scrollAreas.first?.offset == held.scrollAreas.first?.maxOffset)
        let negative = Layout(of: Samples.chat(100), state: ViewportState(scroll: ["chat.messages": -5]))
        #expect(negative.scrollAreas.first?.offset == 0)
    }

    @Test func aListAtItsEndFollowsWhatComesAndAnotherStays() throws {
        let short = Layout(of: Samples.chat(30))
        #expect(Layout(of: Samples.chat(31), state: short.state)["message.30"]?.shown != nil)
        let up = short.scrolled("chat.messages", by: -300)
        let before = try #require(Layout(of: Samples.chat(30), state: up)["message.10"]).bounds
        #expect(Layout(of: Samples.chat(31), state: up)["message.10"]?.bounds == before)
    }

    @Test func theFocusGoesInReadingOrder() {
        var layout = Layout(of: Samples.chat(3))
        #expect(layout.focused == "chat.draft")
        #expect(layout.focusOrder == ["back", "chat.draft", "chat.attach", "chat.leave"])
        var visited: [String?] = []
        for _ in 0..<4 {
            layout = Layout(of: Samples.chat(3), state: layout.focusingNext())
            visited.append(layout.focused)
        }
        #expect(visited == ["chat.attach", "chat.leave", "back", "chat.draft"])
        #expect(layout.focusingNext(backwards: true).focus == "back")
        #expect(layout.focusing("chat.send") == layout.state)
        #expect(layout.focusing("nobody") == layout.state)
    }

    @Test func revealingScrollsAsLittleAsNeeded() throws {
        let layout = Layout(of: Samples.chat(100))
        #expect(layout.revealing("message.99") == layout.state)
        let shown = Layout(of: layout.root, state: layout.revealing("message.3"))
        let area = try #require(shown.scrollAreas.first)
        #expect(shown["message.3"]?.bounds.y == area.window.y)
        let back = Layout(of: layout.root, state: shown.revealing("message.40"))
        #expect(back["message.40"]?.bounds.maxY == area.window.maxY)
    }
}

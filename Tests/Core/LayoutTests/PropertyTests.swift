import AppCore
import Catalogues
import Layout
import Scenarios
import Testing

/// What holds for every tree.
@Suite struct PropertyTests {
    static let scenarios = Scenario.names

    private func tree(_ name: String) throws -> ViewNode {
        try ViewNode(try Scenario.named(name).play().driver.core.tree)
    }

    private func check(_ layout: Layout) {
        for frame in layout.frames {
            guard let parent = frame.parent.map({ layout.frames[$0] }) else { continue }
            if let shown = frame.shown {
                #expect(parent.shown?.contains(shown) == true, "\(frame.id) leaves \(parent.id)")
                #expect(frame.bounds.contains(shown))
            }
            let scrolls = layout.scrollAreas.contains { $0.id == parent.id }
            #expect(scrolls || parent.bounds.contains(frame.bounds), "\(frame.id) leaves \(parent.id)")
        }
        for (index, first) in layout.frames.enumerated() {
            for second in layout.frames[(index + 1)...] where second.parent == first.parent {
                #expect(overlap(first, second) == nil, "\(first.id) and \(second.id) overlap")
            }
        }
        for area in layout.scrollAreas {
            #expect(layout.viewport.width >= area.window.maxX && area.window.height > 0)
            #expect((0...area.maxOffset).contains(area.offset))
        }
    }

    private func overlap(_ first: Layout.Frame, _ second: Layout.Frame) -> Rect? {
        guard let one = first.shown, let other = second.shown else { return nil }
        return one.intersection(other)
    }

    @Test(arguments: scenarios) func everyScenarioIsWellLaidOut(name: String) throws {
        let tree = try tree(name)
        for viewport in [Viewport.phone, try Viewport(width: 320, height: 568), try Viewport(width: 1024, height: 768)]
        {
            let layout = Layout(of: tree, viewport: viewport)
            check(layout)
            #expect(layout.frames.map(\.id) == ids(tree))
            #expect(Lint.findings(in: layout).isEmpty, "\(Lint.findings(in: layout))")
        }
    }

    /// A language that is longer, has accents and is written from the right has room on every screen.
    @Test(arguments: scenarios) func everyScenarioIsWellLaidOutInAnotherLanguage(name: String) throws {
        let tree = try ViewNode(try Scenario.named(name).play().driver.core.tree, in: .pseudo)
        let layout = Layout(of: tree)
        check(layout)
        #expect(Lint.findings(in: layout).isEmpty, "\(Lint.findings(in: layout))")
    }

    @Test(arguments: [(120, 120), (120, 4096), (4096, 120), (200, 300)])
    func everySizeIsWellLaidOut(width: Int, height: Int) throws {
        for tree in [Samples.rooms, Samples.chat(30)] {
            check(Layout(of: tree, viewport: try Viewport(width: width, height: height)))
        }
    }

    @Test func everyNodeCanBeBroughtIntoSightAndHit() throws {
        for tree in [Samples.rooms, Samples.chat(30)] {
            let size = try Viewport(width: 320, height: 480)
            let layout = Layout(of: tree, viewport: size)
            for id in layout.focusOrder {
                let seen = Layout(of: tree, viewport: size, state: layout.focusing(id))
                let shown = try #require(seen[id]?.shown)
                #expect(seen.hit(x: shown.x + 2, y: shown.y + 2)?.id == id)
                #expect(seen.focused == id)
            }
        }
    }

    @Test(arguments: [
        "", " ", "\u{200F}\u{200E}", "👩‍👩‍👧‍👦👩‍👩‍👧‍👦", "مرحبا \u{202E}evil", "a\u{301}\u{301}\u{301}", "\r\n\n\r", "<&>\"'",
        String(repeating: "x", count: 64 << 10), String(repeating: "word ", count: 13_000),
        String(repeating: "\n", count: 64 << 10), String(repeating: "你", count: 20_000),
        String(repeating: "\u{301}", count: 30_000),
    ]) func everyTextIsLaidOut(text: String) throws {
        let node = { (role: String, children: [ViewNode]) in
            ViewNode(role, "\(role).1", text, value: text, detail: text, actions: ["tap"], children)
        }
        let roles = [
            "heading", "text", "button", "toggle", "text_field", "message", "item", "banner", "progress", "odd",
        ]
        let layout = Layout(of: Samples.screen(roles.map { node($0, []) } + [node("section", [node("status", [])])]))
        check(layout)
        #expect(layout.svg.hasSuffix("</svg>\n"))
        #expect(layout.svg.utf8.count < 1 << 20)
    }

    @Test func rightToLeftTextKeepsItsOrder() {
        let svg = Layout(of: Samples.screen([ViewNode("text", "t", "\u{200F}שלום עולם")])).svg
        #expect(svg.contains(">\u{200F}שלום עולם</text>"))
    }

    @Test func aLongMessageScrollsThroughItsWholeText() throws {
        let text = (0..<3000).map { "line \($0)" }.joined(separator: "\n")
        let chat = Samples.chat(1) { _ in text }
        let end = Layout(of: chat)
        #expect(end.svg.contains(">line 2999</text>"))
        let start = Layout(of: chat, state: end.scrolled("message.0", by: -1_000_000))
        #expect(start.svg.contains(">line 0</text>"))
        #expect(!start.svg.contains(">line 2999</text>"))
    }

    @Test func equalTreesGiveEqualBytes() throws {
        let first = try JSON.encode(Layout(of: Samples.chat(50)).snapshot)
        let second = try JSON.encode(Layout(of: Samples.chat(50)).snapshot)
        #expect(first == second)
    }

    private func ids(_ node: ViewNode) -> [String] { node.isVisible ? [node.id] + node.children.flatMap(ids) : [] }
}

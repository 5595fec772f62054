import AppCore
import Layout

extension Suite {
    static let layout = Suite(name: "layout", about: "trees of 10 000 messages laid out, drawn and read") { recorder in
        let plain = try talk(10_000) { "Message \($0): see you at the station at nine, and bring the blue folder." }
        let mixed = try talk(10_000) { "Сообщение \($0): до встречи в девять, 你好世界, и возьми синюю папку 👋🏽" }
        await recorder.time("layout of 10 000 messages", aim: 50) {
            blackHole(Layout(of: plain).frames.count)
        }
        await recorder.time("layout of 10 000 messages in many scripts", aim: 200) {
            blackHole(Layout(of: mixed).frames.count)
        }
        let layout = Layout(of: plain)
        await recorder.time("SVG of a screen of it", aim: 5) { blackHole(layout.svg.utf8.count) }
        await recorder.rate("hit tests in it", unit: "hits/s", count: 1000) {
            for y in 0..<1000 { blackHole(layout.hit(x: 195, y: y % 844, action: "tap")?.bounds.y ?? 0) }
        }
        await recorder.time("lint of it") { blackHole(Lint.findings(in: layout).count) }
        let json = try JSON.encode(layout.tree)
        try await recorder.time("reading it from JSON") { blackHole(try ViewNode(json: json).children.count) }
    }
}

private func talk(_ count: Int, text: (Int) -> String) throws -> ViewNode {
    let messages = (0..<count).map { number in
        var node = SemanticNode(
            .message, "message.\(number)", number % 2 == 0 ? "You" : "The other person", value: .text(text(number)),
            detail: number % 2 == 0 ? "Delivered" : nil, at: Timestamp(milliseconds: 1_700_000_000_000))
        node.side = number % 2 == 0 ? .own : .other
        return node
    }
    let list = SemanticNode(.list, "chat.messages", "Messages", messages)
    return try ViewNode(SemanticNode(.screen, "chat", "Ann", [SemanticNode(.heading, "chat.title", "Ann"), list]))
}

/// Keeps the optimiser from leaving out what nobody looks at.
@inline(never) private func blackHole(_ value: Int) {}

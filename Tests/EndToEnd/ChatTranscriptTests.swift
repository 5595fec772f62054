import AppCore
import Testing

@testable import alcove

/// What of the screen of a conversation becomes lines.
@Suite struct ChatTranscriptTests {
    private static func chat(_ children: [SemanticNode]) -> SemanticNode {
        SemanticNode(.screen, "chat", .said("Ben"), children)
    }

    @Test func `what is told of other rooms is not said in this one`() async {
        let tree = Self.chat([
            SemanticNode(
                .section, "notices", .said("Notices"),
                [
                    SemanticNode(.banner, "notice.1", .said("The code ran out.")),
                    SemanticNode(.banner, "notice.2", .said("The file was not sent.")),
                ]),
            SemanticNode(.banner, "chat.problem", .said("There is no path.")),
        ])
        var transcript = ChatTranscript()
        let news = await transcript.news(in: tree, notices: [2]) { _ in nil }
        #expect(news.map(\.text) == ["The file was not sent.", "There is no path."])
        let again = await transcript.news(in: tree, notices: [2]) { _ in nil }
        #expect(again.isEmpty)
    }

    @Test func `a code is said with its words or not at all, and with the time until which it counts`() async throws {
        let tree = Self.chat([
            SemanticNode(.text, "chat.code", .said("Code"), value: .text("482913")),
            SemanticNode(.text, "chat.words", .said("Words"), value: .secret("words")),
            SemanticNode(
                .text, "chat.expires", .said("Until"), value: .time(Timestamp(milliseconds: 1_800_000_000_000))),
        ])
        var transcript = ChatTranscript()
        let early = await transcript.news(in: tree, notices: []) { _ in nil }
        #expect(early.isEmpty)
        let news = await transcript.news(in: tree, notices: []) { _ in "maple-otter" }
        let line = try #require(news.first)
        #expect(news.count == 1 && line.text == "482913-maple-otter")
        #expect(line.json.contains(#""valid_until":"2027-01-15T08:00:00.000Z""#), "\(line.json)")
        // A host that has ended knows no words any more.
        let late = await transcript.news(in: tree, notices: []) { _ in nil }
        #expect(late.isEmpty)
    }
}

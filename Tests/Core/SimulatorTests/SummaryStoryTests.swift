import Simulator
import Testing

/// Stories of summaries: the disk says what would be sent, and the model answers.
@Suite struct SummaryStoryTests {
    @Test(arguments: [
        ("summary_room", ["summary.cancel", "room_settings.summarise"], "Ann: I am!", "Summary of Ann"),
        ("summary_failed", ["summary.retry"], "Milk", "Summary of Groceries"),
    ]) func whatIsReadAnewIsSentAndAnswered(scenario: String, taps: [String], text: String, title: String) async throws
    {
        let client = try Client(scenario)
        for node in taps { try await client.tap(node) }
        try await client.see(text)
        // Its id says what is sent, and to whom.
        let tree = String(describing: try await client.ask("tree"))
        let send = try #require(tree.firstMatch(of: /summary\.send\.[^"]+/))
        try await client.tap(String(send.output))
        try await client.see(title)
        try await client.see("You said: Summarise the")
    }
}

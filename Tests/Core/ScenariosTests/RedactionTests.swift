import AppCore
import Scenarios
import Testing

/// A redacted run shows the same screens, and nothing of what people said or are called.
@Suite struct RedactionTests {
    /// What the scenarios say, and what must not be left of it.
    static let content = [
        "Ann", "Bob", "482913", "111222", "Is anybody there", "I am!", "holiday", "report.pdf", "First while", "12345",
        "50.94", "6.95", "turn.example.org", "How are you", "handle-1", "Hello, it is me", "fox-7f3a", "24680",
        "We fell out", "Groceries", "melon", "bread", "Summer plans", "Household", "Cellar", "Travels", "A letter",
        "Half past five", "Good idea", "Only bread", "A small one",
        "harbour", "letter-2.ntdf", "Downloads", "out of memory", "3 new items", "does not answer", "pixel-1",
        "opencode", "greeting", "Good morning", "swift test", "Find the", "one word", "llama3.2", "helper",
        "Two new items", "story-1", "example.org/feed", "cores/core.js", "home/ann",
    ]

    @Test(arguments: Scenario.names) func nothingThatWasSaidIsLeft(name: String) throws {
        let performance = try Scenario.named(name).play()
        var written = try performance.inputs.map { String(decoding: try JSON.encode($0.redacted), as: UTF8.self) }
        written.append(String(decoding: try JSON.encode(performance.driver.state.redacted), as: UTF8.self))
        for text in Self.content { #expect(!written.contains { $0.contains(text) }, "\(text) is left") }
    }

    @Test(arguments: Scenario.names) func itReplaysToTheSameShape(name: String) throws {
        let performance = try Scenario.named(name).play()
        var replay = Core()
        for input in performance.inputs { _ = replay.dispatch(input.redacted) }
        #expect(replay.tree.shape == performance.driver.core.tree.shape)
    }

    @Test(arguments: Scenario.names) func aRedactedStateHasTheSameShapeAndGoesOn(name: String) throws {
        let state = try Scenario.named(name).play().driver.state
        let redacted = try JSON.decode(AppState.self, from: JSON.encode(state.redacted))
        #expect(Core(state: redacted).tree.shape == Core(state: state).tree.shape)
        #expect(redacted.redacted == redacted)
    }

    @Test func theContentsAreReallyInTheScenarios() throws {
        let written = try Scenario.names.flatMap { try Scenario.named($0).play().inputs }
            .map { String(decoding: try JSON.encode($0), as: UTF8.self) }
        for text in Self.content { #expect(written.contains { $0.contains(text) }, "\(text) is nowhere") }
    }
}

extension SemanticNode {
    /// Everything but words.
    fileprivate var shape: [String] {
        ["\(id) \(role) \(isEnabled) \(isBusy) \(isSelected) \(offers.map(\.verb))"] + children.flatMap(\.shape)
    }
}

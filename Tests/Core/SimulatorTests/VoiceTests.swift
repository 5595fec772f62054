import AppCore
import Simulator
import Testing

/// Voice messages in the simulated world.
@Suite struct VoiceTests {
    private func record(_ microphone: String) async throws -> Client {
        let client = try Client("verified_chat")
        try await client.ask("advance", ["ms": .integer(1000)])
        try await client.ask("microphone", ["is": .string(microphone)])
        try await client.ask(
            "dispatch",
            ["action": .object(["type": .string("tell_abilities"), "can": .array([.string("microphone")])])])
        try await client.tap("chat.record")
        return client
    }

    @Test func whatIsRecordedIsAsLongAsTheTimeThatPassed() async throws {
        let client = try await record("works")
        try await client.see("Recording")
        try await client.ask("advance", ["ms": .integer(5000)])
        try await client.tap("chat.recording.send")
        try await client.see("Voice message")
        let room = try await client.ask("state")["rooms"]?.array?.first
        let message = try #require(room?["messages"]?["all"]?.array?.last)
        let duration = try #require(message["body"]?["media"]?["duration"]?.integer)
        #expect((5000...5010).contains(duration))
    }

    @Test func thePersonAnswersTheBrowser() async throws {
        let client = try await record("asks")
        try await client.see("Your browser asks")
        try await client.ask("microphone", ["is": .string("refused")])
        try await client.see("does not let Alcove use the microphone")
        try await client.ask("microphone", ["is": .string("works")])
        try await client.tap("chat.record")
        try await client.see("Recording")
        try await client.ask("microphone", ["is": .string("absent")])
        try await client.see("There is no microphone")
    }

    @Test func aRunWithARecordingReplays() async throws {
        let client = try await record("works")
        try await client.ask("advance", ["ms": .integer(900_000)])
        try await client.see("15 minutes are recorded")
        try await client.tap("chat.recording.cancel")
        let trace = try await client.ask("export_replay")
        let replay = try await client.ask("assert_replay", ["trace": trace])
        #expect(replay["passed"] == .bool(true))
    }
}

import AppCore
import Foundation
import Peers
import Testing

@testable import Host

/// Summaries between the core, the disk and a model server: what is shown is what the model gets.
@Suite(.timeLimit(.minutes(5))) struct SummaryHostTests {
    private static func prompt(_ place: ProfilePlace) async throws -> (EffectID, String) {
        try await place.expect("what would be sent") { state in
            guard let request = state.views.main.summary, let effect = request.effect else { return nil }
            return request.prompt.map { (effect, $0) }
        }
    }

    @Test func `a room is summarised by a model of this machine`() async throws {
        let place = ProfilePlace()
        try place.fill(with: "verified_chat")
        let pipe = Pipe()
        let server = try ChildProcess(
            program: Programs.python(), arguments: [Programs.script("model_server.py"), ""],
            output: pipe.fileHandleForWriting)
        try pipe.fileHandleForWriting.close()
        let host = try await place.start(isActive: false)
        let url = "http://127.0.0.1:\(pipe.firstLine())"
        await host.dispatch(.agents(.addModel(name: "local", url: url, model: nil, key: nil)))
        let room = try await place.expect("the room") { $0.rooms.first?.id }
        let agent = try await place.expect("the agent") { $0.agents.inOrder.first?.id }
        await host.dispatch(.app(.navigate(to: Screen(.summary, room: room))))
        let (effect, prompt) = try await Self.prompt(place)
        #expect(prompt.contains("You: Is anybody there?\nAnn: I am! Grüße aus Köln 👋🏽\n"))
        await host.dispatch(.agents(.sendSummary(agent: agent, of: effect)))
        let talk = try await place.expect("the answer") { state in
            state.talks.inOrder.first.flatMap { $0.session.status == .done ? $0 : nil }
        }
        #expect(
            talk.items.map(\.content) == [
                .prompt(text: prompt, pictures: nil), .text(text: "It says: You: Is anybody there?"),
            ])
        await place.stop()
        await server.ended(grace: .zero)
    }

    @Test func `a note is read from its folder, and one that is not there is not`() async throws {
        let place = ProfilePlace()
        let host = try await place.start(isActive: false)
        await host.dispatch(.notes(.openNotes))
        await host.dispatch(.notes(.createNote(title: "Groceries", folder: nil)))
        let note = try await place.expect("the note") { state in
            state.notes.list.inOrder.first { $0.title == "Groceries" }?.id
        }
        await host.dispatch(.notes(.appendToNote(note: note, text: "milk\u{202E}")))
        try await place.expect("the end of it") { $0.pendingEffects.contains { $0.appends } ? nil : true }
        await host.dispatch(.app(.navigate(to: Screen(.summary, note: note))))
        let (_, prompt) = try await Self.prompt(place)
        #expect(prompt.contains("Groceries") && prompt.contains("milk⟨U+202E⟩"))
        await host.dispatch(.app(.navigate(to: Screen(.summary, note: "AAAAAAAAAAAAAAAAAAAAAA"))))
        let failure = try await place.expect("the failure") { $0.views.main.summary?.failure }
        #expect(failure.code == .noteUnknown)
        await place.stop()
    }
}

extension Effect.Kind {
    fileprivate var appends: Bool { if case .appendToNote = self { true } else { false } }
}

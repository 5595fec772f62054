import AppCore
import Simulator
import Testing

/// Stories of notes, as a script would play them.
@Suite struct NotesTests {
    /// A note is on the screen, and something was written in it.
    private func noteWithADraft() async throws -> Client {
        let client = try Client()
        try await client.ask("notes", ["do": .string("create"), "text": .string("Groceries\n\nMilk")])
        try await client.tap("rooms.notes")
        try await client.see("Groceries")
        try await client.tap("note.note-1")
        try await client.ask(
            "set_text", ["node_id": .string("note.draft"), "text": .string("Groceries\n\nMilk, bread")])
        try await client.see("Not saved")
        return client
    }

    @Test func bothChangesAreInTheNote() async throws {
        let client = try await noteWithADraft()
        try await client.ask("notes", ["do": .string("edit"), "text": .string("Groceries for Ann\n\nMilk")])
        try await client.see("Others changed the note meanwhile")
        try await client.tap("note.save")
        try await client.see("Saved, together with what others wrote")
        try await client.ask(
            "assert_node",
            ["node_id": .string("note.draft"), "value": .string("Groceries for Ann\n\nMilk, bread")])
        try await client.see("Ben")
    }

    @Test(arguments: [("read_only", "not written"), ("full", "The disk is full")]) func aSaveWaits(
        state: String, sentence: String
    ) async throws {
        let client = try await noteWithADraft()
        try await client.ask("notes", ["do": .string("folder"), "state": .string(state)])
        try await client.tap("note.save")
        try await client.see(sentence)
        try await client.ask("restart")
        try await client.tap("rooms.notes")
        try await client.see("Saving")
        try await client.ask("notes", ["do": .string("folder"), "state": .string("writable")])
        try await client.ask("advance", ["ms": .integer(60_000)])
        try await client.tap("note.note-1")
        try await client.see("Saved")
        try await client.see("Milk, bread")
    }

    /// Where the core does not see whose a remark is, the service refuses to change it.
    @Test(arguments: ["correct_comment", "delete_reply"]) func theWordsOfOthersStay(action: String) async throws {
        let client = try Client("note_comment_corrected")
        try await client.tap("note.inspector")
        var words: [String: JSONValue] = [
            "type": .string(action), "note": .string("groceries"), "comment": .string("c1"), "reply": .string("r1"),
        ]
        if action == "correct_comment" { words["text"] = .string("Bad idea") }
        try await client.ask("dispatch", ["action": .object(words)])
        try await client.see("Only who said this can change or delete it.")
    }

    @Test func aNoteThatGoesMeanwhileLosesNothing() async throws {
        let client = try await noteWithADraft()
        try await client.ask("notes", ["do": .string("delete")])
        try await client.see("in the trash")
        try await client.ask("notes", ["do": .string("purge")])
        try await client.see("somebody deleted it for good")
        try await client.tap("note.keep")
        try await client.tap("back")
        try await client.see("Milk, bread")
    }

    @Test func twoPeopleEditTogether() async throws {
        let client = try Client()
        try await client.ask("notes", ["do": .string("create"), "text": .string("Groceries"), "note": .string("g")])
        try await client.tap("rooms.create")
        try await client.type("Ann", into: "create.name")
        try await client.tap("create.submit")
        try await client.ask("peer", ["do": .string("come"), "shares": .string("accept")])
        try await client.tap("back")
        try await client.tap("rooms.notes")
        try await client.tap("note.g")
        try await client.tap("note.settings")
        let state = try await client.ask("state")
        let room = try #require(state["rooms"]?.array?.first?["room"]?["id"]?.string)
        try await client.tap("note_settings.share.\(room)")
        try await client.see("Edited together with Ann")
        try await client.ask("peer", ["do": .string("share_note"), "note": .string("l"), "title": .string("Letter")])
        try await client.ask("peer", ["do": .string("stop_sharing_note"), "note": .string("g")])
        try await client.see("Ann shares it no longer")
        try await client.tap("back")
        try await client.tap("back")
        try await client.see("Letter")
        try await client.see("Shared with Ann")
    }
}

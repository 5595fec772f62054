import AppCore
import CAlcoveCore
import Catalogues
import Testing

/// `alcove_core_changes` and `alcove_core_catalogue`.
@Suite struct ChangesTests {
    private func changes(_ core: OpaquePointer?, _ view: String, since: UInt64) throws -> Answer {
        try Answer(alcove_core_changes(core, view, since))
    }

    @Test func aHostThatKnowsTheLastRevisionLearnsWhatIsDifferent() throws {
        let core = try #require(alcove_core_new("\"verified_chat\""))
        defer { alcove_core_free(core) }
        let first = try #require(try changes(core, "main", since: 0).result)
        #expect(first["root"] == (try Answer(alcove_core_tree(core)).result))
        #expect(try changes(core, "main", since: 1).bytes == #"{"from":1,"rev":1}"#)
        alcove_core_string_free(alcove_core_dispatch(core, #"{"type":"navigate","to":{"page":"settings"}}"#))
        let screen = try #require(try changes(core, "main", since: 1).result)
        #expect(
            screen["rev"]?.integer == 2 && screen["root"]?["id"]?.string == "settings", "another screen is another tree"
        )
        alcove_core_string_free(alcove_core_dispatch(core, #"{"type":"set_server","url":"https://example.org"}"#))
        let patch = try #require(try changes(core, "main", since: 2).result)
        #expect(patch["root"] == nil && patch["removed"] == nil)
        #expect(patch["updated"]?.array?.first?["fields"]?["value"]?["text"]?.string == "https://example.org")
        #expect(try changes(core, "main", since: 1).result?["root"] != nil, "who missed one starts anew")
    }

    @Test func eachViewHasRevisionsOfItsOwn() throws {
        let core = try #require(alcove_core_new("\"verified_chat\""))
        defer { alcove_core_free(core) }
        #expect(try changes(core, "page", since: 0).code == "unknown_view")
        let input = #"{"at":1800000000000,"fresh":"\#(String(repeating: "0", count: 64))","view":"page","action":"#
        for action in ["open_view", "became_active"] {
            alcove_core_string_free(alcove_core_dispatch(core, input + #"{"type":"\#(action)"}}"#))
        }
        #expect(try changes(core, "page", since: 0).result?["root"]?["id"]?.string == "rooms")
        #expect(try changes(core, "main", since: 0).result?["root"]?["id"]?.string == "chat")
        let windows = #"{"view":"main","windows":{"chat.messages":{"before":1,"after":0}}}"#
        #expect(try changes(core, windows, since: 0).result?["root"] != nil)
    }

    @Test(arguments: ["", "a b", "{}", "[]", #"{"view":3}"#, #"{"view":"main","windows":[]}"#, "\u{0001}"])
    func aViewThatIsNoneIsAnError(text: String) throws {
        let core = try #require(alcove_core_new(nil))
        defer { alcove_core_free(core) }
        #expect(try changes(core, text, since: 0).code == "bad_view")
    }

    @Test func cataloguesAreGivenWhole() throws {
        let sentences = try #require(try Answer(alcove_core_catalogue("en")).result?["sentences"]?.object)
        #expect(Set(sentences.keys) == Catalogue.english.keys)
        #expect(try Answer(alcove_core_catalogue("xx")).code == "unknown_language")
        #expect(try Answer(alcove_core_catalogue(nil)).code == "null_argument")
        #expect(try Answer(alcove_core_changes(nil, "main", 0)).code == "null_handle")
    }
}

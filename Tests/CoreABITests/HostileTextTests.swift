import AppCore
import CAlcoveCore
import Scenarios
import Testing

/// Texts that nobody should send: each is an error with a code, and nothing has happened.
@Suite struct HostileTextTests {
    @Test(arguments: [
        ("", "not_json"), ("   ", "not_json"), ("x", "not_json"), (#"{"type":"tick""#, "not_json"),
        (#"{"type":"tick"}}"#, "not_json"), ("[]", "not_an_action"), ("7", "not_an_action"), ("null", "not_an_action"),
        ("{}", "not_an_action"), (#"{"type":7}"#, "not_an_action"), (#"{"type":"fly"}"#, "not_an_action"),
        (#"{"type":"send_text"}"#, "not_an_action"), (#"{"type":"send_text","room":"a/b","text":""}"#, "not_an_action"),
        (#"{"action":{"type":"tick"}}"#, "not_an_action"),
        (#"{"at":1,"fresh":"00","action":{"type":"tick"}}"#, "not_an_action"),
        (#"{"at":1e999,"fresh":"","action":{"type":"tick"}}"#, "not_an_action"),
    ])
    func `is an error`(text: String, code: String) throws {
        let host = try ForeignHost("\"verified_chat\"")
        let before = try host.state().text
        #expect(try host.dispatch(text).code == code)
        #expect(try host.event(text).code == code)
        #expect(try host.state().text == before)
    }

    @Test func `NULL is an error`() throws {
        let host = try ForeignHost()
        #expect(try Answer(alcove_core_dispatch(host.core, nil)).code == "null_argument")
        #expect(try Answer(alcove_core_platform_event(host.core, nil)).code == "null_argument")
    }

    @Test(
        arguments: [
            [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0x22, 0xC3, 0x22],
        ] as [[UInt8]])
    func `what is not UTF-8 is found before it is read`(bytes: [UInt8]) throws {
        let host = try ForeignHost()
        let text = bytes.map(CChar.init(bitPattern:)) + [0]
        #expect(try Answer(alcove_core_dispatch(host.core, text)).code == "not_utf8")
        #expect(alcove_core_new(text) == nil)
        #expect(try Answer(alcove_core_last_error(nil)).result?["code"] == .string("not_utf8"))
    }

    @Test func `an input that is cut anywhere does nothing`() throws {
        let input = try #require(try Scenario.named("verified_chat").play().inputs.last)
        let json = String(decoding: try JSON.encode(input), as: UTF8.self)
        let host = try ForeignHost()
        for end in json.indices {
            let code = try host.dispatch(String(json[..<end])).code
            #expect(code == "not_json")
        }
        #expect(try host.dispatch(json).result?["seq"] == .integer(1))
    }

    @Test(arguments: ["[", "{\"a\":", #"[{"type":"#]) func `deep JSON is an error`(opening: String) throws {
        let host = try ForeignHost()
        let text = String(repeating: opening, count: 100_000)
        #expect(try host.dispatch(text).code == "too_deep")
        #expect(alcove_core_new(text) == nil)
        #expect(try Answer(alcove_core_last_error(nil)).result?["code"] == .string("too_deep"))
    }

    @Test func `brackets in strings are not deep`() throws {
        let host = try ForeignHost()
        let text = String(repeating: "[{\\\"", count: 1000)
        #expect(try host.dispatch(#"{"type":"tick","note":"\#(text)"}"#).isOK)
    }

    @Test func `a text beyond the limit is not read`() throws {
        let host = try ForeignHost()
        var text = [CChar](repeating: 0x20, count: Int(ALCOVE_CORE_TEXT_LIMIT) + 2)
        text[text.count - 1] = 0
        #expect(try Answer(alcove_core_dispatch(host.core, text)).code == "too_large")
    }

    @Test func `an answer to an effect that is not there changes nothing`() throws {
        let host = try ForeignHost("\"room_waiting\"")
        let before = try host.state().text
        for effect in ["0", "999999", "18446744073709551615"] {
            let answer = try host.dispatch(#"{"type":"effect_done","effect":\#(effect)}"#)
            #expect(answer.result?["changes"] == .array([]))
            #expect(answer.result?["effects"] == .array([]))
        }
        #expect(try host.dispatch(#"{"type":"effect_done","effect":-1}"#).code == "not_an_action")
        #expect(try host.dispatch(#"{"type":"effect_done","effect":18446744073709551616}"#).code == "not_an_action")
        #expect(try host.state().text == before)
    }
}

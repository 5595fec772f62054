import AppCore
import CAlcoveCore
import Scenarios
import Testing

/// Hostile texts: each is refused with a code, and changes nothing.
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

    /// Keys as they are written in JSON, and nothing of what the text says.
    @Test(arguments: [
        (#"{"type":"reachability_changed","online":"SECRET"}"#, #""online" must be true or false"#),
        (#"{"type":"start_typing_SECRET"}"#, "unknown type at the top"),
        (#"{"type":"create_room","name":"SECRET"}"#, #""expires_in" is missing at the top"#),
        (#"{"type":"create_room","name":"SECRET","expires_in":"SECRET"}"#, #""expires_in" must be a number"#),
        (#"{"type":"create_room","name":["SECRET"],"expires_in":300}"#, #""name" must be a text"#),
        (#"{"type":"create_room","name":"a","expires_in":1e999}"#, "not valid"),
        (#"{"type":"create_room","name":"a","expires_in":12345678901234567890123}"#, "valid"),
        (#"{"type":"send_text","room":"SECRET/SECRET","text":"SECRET"}"#, "an id is 1 to 128 letters"),
        (#"{"type":"room_failed_SECRET","SECRET":{"SECRET":"SECRET"}}"#, "unknown type"),
        (#"{"at":1,"fresh":"SECRET","action":{"type":"tick"}}"#, "fresh is 64 lowercase"),
        (#"{"at":1,"fresh":"00"}"#, #""type" is missing"#),
    ])
    func `errors use the names of the JSON and repeat nothing`(text: String, part: String) throws {
        let host = try ForeignHost()
        for answer in [try host.dispatch(text), try host.event(text)] {
            #expect(!answer.isOK && !answer.text.contains("SECRET"), "\(answer.text)")
            #expect(answer.message?.contains(part) == true || answer.code == "not_json", "\(answer.text)")
        }
    }

    @Test(arguments: [
        (#"{"scenario":{"about":"a","steps":[{"type":"SECRET"}]}}"#, "bad_scenario"),
        (#"{"scenario":{"about":"a","steps":[{"answer":"SECRET","type":"SECRET"}]}}"#, "bad_scenario"),
        (
            #"{"scenario":{"about":"a","steps":[{"type":"create_room","name":"$SECRET","expires_in":"$nowSECRET"}]}}"#,
            "bad_scenario"
        ),
        (#"{"scenario":{"about":"a","from":"SECRET"}}"#, "bad_scenario"), (#""SECRET""#, "unknown_scenario"),
        (#"{"scenario":{"about":"a","expect":{"screen":{"SECRET":1}}}}"#, "bad_scenario"),
        (#"{"state":{"SECRET":1}}"#, "bad_config"), (#"{"SECRET":1}"#, "bad_config"),
    ])
    func `errors of configurations repeat nothing`(config: String, code: String) throws {
        #expect(alcove_core_new(config) == nil)
        let error = try Answer(alcove_core_last_error(nil))
        #expect(error.result?["code"]?.string == code && !error.text.contains("SECRET"), "\(error.text)")
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

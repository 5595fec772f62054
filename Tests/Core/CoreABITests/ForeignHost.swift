import AppCore
import CAlcoveCore

/// A core, held as a host in C holds one: by a pointer and through text.
struct ForeignHost: ~Copyable {
    let core: OpaquePointer

    struct CannotStart: Error { let answer: Answer }

    init(_ config: String? = nil) throws {
        guard let core = alcove_core_new(config) else {
            throw CannotStart(answer: try Answer(alcove_core_last_error(nil)))
        }
        self.core = core
    }

    deinit { alcove_core_free(core) }

    @discardableResult func dispatch(_ json: String) throws -> Answer { try Answer(alcove_core_dispatch(core, json)) }
    func dispatch(_ json: [UInt8]) throws -> Answer { try dispatch(String(decoding: json, as: UTF8.self)) }
    @discardableResult func event(_ json: String) throws -> Answer {
        try Answer(alcove_core_platform_event(core, json))
    }
    func state() throws -> Answer { try Answer(alcove_core_state(core)) }
    func tree() throws -> Answer { try Answer(alcove_core_tree(core)) }
    func logs(_ limit: UInt32) throws -> Answer { try Answer(alcove_core_logs(core, limit)) }
    func drain() throws -> Answer { try Answer(alcove_core_drain_effects(core)) }
    func lastError() throws -> Answer { try Answer(alcove_core_last_error(core)) }
}

/// What came back from a call.
struct Answer {
    struct NoString: Error {}

    let text: String
    private let json: JSONValue

    /// Takes over the string and frees it.
    init(_ string: UnsafeMutablePointer<CChar>?) throws {
        guard let string else { throw NoString() }
        defer { alcove_core_string_free(string) }
        text = String(cString: string)
        json = try JSON.decode(JSONValue.self, from: text.utf8)
    }

    var isOK: Bool { json["ok"]?.bool == true }
    var result: JSONValue? { json["result"] }
    /// The code of the error; `nil` if it went well.
    var code: String? { json["error"]?["code"]?.string }
    /// What the error says; `nil` if it went well.
    var message: String? { json["error"]?["message"]?.string }
    /// The bytes of the result, as they stand in the envelope.
    var bytes: String { String(text.dropFirst(#"{"ok":true,"result":"#.count).dropLast()) }
}

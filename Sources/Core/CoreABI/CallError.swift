/// Why a call did nothing, as the host learns it: the `error` of an envelope.
struct CallError: Error, Sendable, Hashable, Encodable {
    let code: Code
    /// For developers: what to do next. Holds nothing of what the text said.
    let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The names that `alcove_core.h` lists.
    enum Code: String, Sendable, Hashable, Encodable, CaseIterable {
        case nullHandle = "null_handle"
        case unknownHandle = "unknown_handle"
        case nullArgument = "null_argument"
        case notUTF8 = "not_utf8"
        case notJSON = "not_json"
        case tooLarge = "too_large"
        case tooDeep = "too_deep"
        case badConfig = "bad_config"
        case unknownScenario = "unknown_scenario"
        case badScenario = "bad_scenario"
        case badView = "bad_view"
        case unknownView = "unknown_view"
        case unknownLanguage = "unknown_language"
        case tooManyCores = "too_many_cores"
        case notAnAction = "not_an_action"
        case notAnEvent = "not_an_event"
        case effectsNotDrained = "effects_not_drained"
        case `internal` = "internal"
    }
}

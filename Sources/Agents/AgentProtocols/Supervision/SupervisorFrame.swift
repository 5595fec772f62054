internal import Errors
package import Wire

/// What a host process wants of the supervisor of an agent: one JSON object on one line.
///
/// The two are processes of one program and one person on one machine, so the format is theirs alone; `docs/decisions/0022-an-agent-under-a-supervisor.md` says why there are two.
package enum SupervisorWish: Sendable, Hashable {
    /// Starts the agent, once.
    case start(JSONObject)
    /// Goes on with the agent behind an event.
    case resume(after: Int)
    /// Begins the turn of this number, unless it was begun before. Pictures are in Base64.
    case prompt(number: Int, turn: Int, text: String, pictures: [String])
    case cancel
    /// Without an option the request is rejected.
    case answer(number: Int, request: Int, option: String?)
    case give(number: Int, request: Int, text: String)
    case choose(number: Int, kind: String, option: String)
    /// All events up to this one are kept by the host.
    case taken(through: Int)
    /// The host process ends. A turn that is under way goes on without it.
    case leave
    /// Ends the agent.
    case stop
}

/// What a supervisor tells the host process: one JSON object on one line.
package enum SupervisorReport: Sendable, Hashable {
    /// Answers `start` and `resume`: the agent runs, and this is the last event so far, and the last turn that was begun.
    case ready(process: Int, last: Int, turn: Int, seesPictures: Bool?)
    case event(sequence: Int, SharedEvent)
    /// What was wanted under this number is done, or why not.
    case done(number: Int, code: String?, message: String)
    /// The end of what the agent wrote besides the protocol, told before its end.
    case log(String)
}

/// How much one line may have: all pictures of a prompt in Base64, or one event with everything that it shows.
package enum SupervisorLimits {
    package static let lineBytes = 16 << 20
}

// MARK: Wishes as JSON

extension SupervisorWish {
    /// Reads a line. Total: any bytes give a wish or an error.
    package init(_ line: some Collection<UInt8>) throws(AgentProtocolError) {
        let members = try ObjectMembers(line)
        switch try members.text("wish") {
        case "start": self = .start(try members.object("program"))
        case "resume": self = .resume(after: try members.number("after"))
        case "prompt":
            self = .prompt(
                number: try members.number("number"), turn: try members.number("turn"), text: try members.text("text"),
                pictures: members.object.array("pictures").compactMap(\.string))
        case "cancel": self = .cancel
        case "answer":
            self = .answer(
                number: try members.number("number"), request: try members.number("request"),
                option: members.object.string("option"))
        case "give":
            self = .give(
                number: try members.number("number"), request: try members.number("request"),
                text: try members.text("text"))
        case "choose":
            self = .choose(
                number: try members.number("number"), kind: try members.text("kind"), option: try members.text("option")
            )
        case "taken": self = .taken(through: try members.number("through"))
        case "leave": self = .leave
        case "stop": self = .stop
        default: throw members.lack("wish")
        }
    }

    package var line: [UInt8] {
        let object: JSONObject =
            switch self {
            case .start(let program): ["wish": "start", "program": .object(program)]
            case .resume(let after): ["wish": "resume", "after": .count(after)]
            case .prompt(let number, let turn, let text, let pictures):
                [
                    "wish": "prompt", "number": .count(number), "turn": .count(turn), "text": .string(text),
                    "pictures": .array(pictures.map { .string($0) }),
                ]
            case .cancel: ["wish": "cancel"]
            case .answer(let number, let request, let option):
                ([
                    "wish": "answer", "number": .count(number), "request": .count(request),
                ] as JSONObject).with("option", option)
            case .give(let number, let request, let text):
                ["wish": "give", "number": .count(number), "request": .count(request), "text": .string(text)]
            case .choose(let number, let kind, let option):
                ["wish": "choose", "number": .count(number), "kind": .string(kind), "option": .string(option)]
            case .taken(let through): ["wish": "taken", "through": .count(through)]
            case .leave: ["wish": "leave"]
            case .stop: ["wish": "stop"]
            }
        return object.line
    }
}

// MARK: Reports as JSON

extension SupervisorReport {
    /// Reads a line. Total: any bytes give a report or an error.
    package init(_ line: some Collection<UInt8>) throws(AgentProtocolError) {
        let members = try ObjectMembers(line)
        switch try members.text("report") {
        case "ready":
            let sees = members.object["pictures"]
            self = .ready(
                process: try members.number("process"), last: try members.number("last"),
                turn: try members.number("turn"), seesPictures: sees == true ? true : sees == false ? false : nil)
        case "event":
            self = .event(
                sequence: try members.number("sequence"), try SharedEvent(try members.object("event")))
        case "done":
            self = .done(
                number: try members.number("number"), code: members.object.string("code"),
                message: members.object.string("message") ?? "")
        case "log": self = .log(try members.text("text"))
        default: throw members.lack("report")
        }
    }

    package var line: [UInt8] {
        let object: JSONObject =
            switch self {
            case .ready(let process, let last, let turn, let sees):
                ([
                    "report": "ready", "process": .count(process), "last": .count(last), "turn": .count(turn),
                ] as JSONObject).with("pictures", sees)
            case .event(let sequence, let event):
                ["report": "event", "sequence": .count(sequence), "event": .object(event.object)]
            case .done(let number, let code, let message):
                (["report": "done", "number": .count(number), "message": .string(message)] as JSONObject).with(
                    "code", code)
            case .log(let text): ["report": "log", "text": .string(text)]
            }
        return object.line
    }
}

extension JSONObject {
    fileprivate func with(_ name: String, _ text: String?) -> JSONObject {
        var object = self
        if let text { object.append(name, .string(text)) }
        return object
    }

    fileprivate func with(_ name: String, _ flag: Bool?) -> JSONObject {
        var object = self
        if let flag { object.append(name, .bool(flag)) }
        return object
    }

    fileprivate var line: [UInt8] {
        var bytes: [UInt8] = []
        JSONValue.object(self).write(to: &bytes)
        return bytes
    }
}

extension JSONValue {
    fileprivate static func count(_ number: Int) -> JSONValue { .number(String(number)) }
}

extension ObjectMembers {
    fileprivate init(_ line: some Collection<UInt8>) throws(AgentProtocolError) {
        self.init(object: try BoundedJSON.object(line), owner: "a line between a host process and a supervisor")
    }
}

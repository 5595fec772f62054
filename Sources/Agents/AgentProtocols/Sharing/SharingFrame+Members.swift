internal import Errors
internal import Wire

// The names of frames and of their members.

extension SharingFrame.Content {
    /// The names of the kinds, in the order of the cases.
    package static let kinds = [
        "offers", "state", "event", "prompt_refused", "answer_refused", "resume", "prompt", "cancel", "answer",
        "received", "close", "picture",
    ]

    init(_ object: JSONObject) throws(AgentProtocolError) {
        let members = ObjectMembers(frame: object)
        switch try members.text("type", atMost: SharingLimits.nameBytes) {
        case "offers": self = .offers(try Self.offers(object))
        case "state":
            self = .state(
                session: try members.id("session"), first: try members.number("first"),
                last: try members.number("last"), turn: try members.number("turn"))
        case "event":
            self = .event(
                session: try members.id("session"), sequence: try members.number("sequence"),
                try SharedEvent(try members.object("event")))
        case "prompt_refused":
            self = .promptRefused(
                session: try members.id("session"), turn: try members.number("turn"), try members.refusal())
        case "answer_refused":
            self = .answerRefused(
                session: try members.id("session"), request: try members.number("request"), try members.refusal())
        case "resume":
            self = .resume(
                session: try members.id("session"), agent: try members.id("agent"), after: try members.number("after"))
        case "prompt":
            self = .prompt(
                session: try members.id("session"), turn: try members.number("turn"),
                text: try members.text("text", atMost: SharingLimits.promptBytes),
                pictures: object.has("pictures") ? try members.number("pictures") : 0)
        case "picture":
            self = .picture(
                session: try members.id("session"), turn: try members.number("turn"),
                place: try members.number("place"),
                piece: try members.text("piece", atMost: SharingLimits.picturePieceBytes),
                isLast: object["last"] == true)
        case "cancel": self = .cancel(session: try members.id("session"), turn: try members.number("turn"))
        case "answer":
            let option = object.has("option") ? try members.text("option", atMost: 4096) : nil
            self = .answer(session: try members.id("session"), request: try members.number("request"), option: option)
        case "received":
            self = .received(session: try members.id("session"), through: try members.number("through"))
        case "close": self = .close(session: try members.id("session"))
        default: self = .unknown
        }
    }

    private static func offers(_ object: JSONObject) throws(AgentProtocolError) -> [SharedAgentOffer] {
        guard case .array(let elements)? = object["agents"] else { throw ObjectMembers(frame: object).lack("agents") }
        guard elements.count <= SharingLimits.offers else {
            throw AgentProtocolError(.tooMany, "more than \(SharingLimits.offers) agents are offered")
        }
        var offers: [SharedAgentOffer] = []
        for element in elements {
            guard let agent = element.object else { throw ObjectMembers(frame: object).lack("agents") }
            let members = ObjectMembers(frame: agent)
            offers.append(
                SharedAgentOffer(
                    id: try members.id("id"), name: try members.text("name", atMost: SharingLimits.nameBytes),
                    isReadOnly: agent["read_only"] == true))
        }
        guard Set(offers.map(\.id)).count == offers.count else {
            throw AgentProtocolError(.malformed, "two agents are offered under one id")
        }
        return offers
    }

    var object: JSONObject {
        switch self {
        case .offers(let offers):
            let agents = offers.map { offer -> JSONValue in
                ["id": .string(offer.id), "name": .string(offer.name), "read_only": .bool(offer.isReadOnly)]
            }
            return ["type": "offers", "agents": .array(agents)]
        case .state(let session, let first, let last, let turn):
            return Self.frame(
                "state", session, [("first", .count(first)), ("last", .count(last)), ("turn", .count(turn))])
        case .event(let session, let sequence, let event):
            return Self.frame("event", session, [("sequence", .count(sequence)), ("event", .object(event.object))])
        case .promptRefused(let session, let turn, let why):
            return Self.frame("prompt_refused", session, [("turn", .count(turn)), ("reason", .string(why.rawValue))])
        case .answerRefused(let session, let request, let why):
            return Self.frame(
                "answer_refused", session, [("request", .count(request)), ("reason", .string(why.rawValue))])
        case .resume(let session, let agent, let after):
            return Self.frame("resume", session, [("agent", .string(agent)), ("after", .count(after))])
        case .prompt(let session, let turn, let text, let pictures):
            let rest: [(String, JSONValue)] = pictures > 0 ? [("pictures", .count(pictures))] : []
            return Self.frame("prompt", session, [("turn", .count(turn)), ("text", .string(text))] + rest)
        case .picture(let session, let turn, let place, let piece, let isLast):
            let rest: [(String, JSONValue)] = isLast ? [("last", true)] : []
            return Self.frame(
                "picture", session,
                [("turn", .count(turn)), ("place", .count(place)), ("piece", .string(piece))] + rest)
        case .cancel(let session, let turn): return Self.frame("cancel", session, [("turn", .count(turn))])
        case .answer(let session, let request, let option):
            let rest: [(String, JSONValue)] = option.map { [("option", .string($0))] } ?? []
            return Self.frame("answer", session, [("request", .count(request))] + rest)
        case .received(let session, let through):
            return Self.frame("received", session, [("through", .count(through))])
        case .close(let session): return Self.frame("close", session, [])
        case .unknown: return ["type": "unknown"]
        }
    }

    private static func frame(_ type: String, _ session: String, _ rest: [(String, JSONValue)]) -> JSONObject {
        var object: JSONObject = ["type": .string(type), "session": .string(session)]
        for (name, value) in rest { object.append(name, value) }
        return object
    }
}

extension JSONValue {
    fileprivate static func count(_ number: Int) -> JSONValue { .number(String(number)) }
}

extension ObjectMembers {
    fileprivate init(frame object: JSONObject) {
        self.init(object: object, owner: "a frame of the channel of agents")
    }

    /// Letters and digits, so that it can stand anywhere.
    fileprivate func id(_ name: String) throws(AgentProtocolError) -> String {
        let text = try text(name, atMost: SharingLimits.idBytes)
        guard !text.isEmpty, text.utf8.allSatisfy(Self.isPartOfID) else { throw lack(name) }
        return text
    }

    private static func isPartOfID(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// A reason that this version does not know is one that nothing more is known of.
    fileprivate func refusal() throws(AgentProtocolError) -> SharingFrame.Refusal {
        SharingFrame.Refusal(rawValue: try text("reason", atMost: SharingLimits.nameBytes)) ?? .notShared
    }
}

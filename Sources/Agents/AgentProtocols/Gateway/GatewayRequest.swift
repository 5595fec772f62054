internal import Errors
package import Wire

/// A request of a client of a gateway: one line. It keeps everything that came, also kinds and members that are not known here.
package struct GatewayRequest: Sendable, Hashable {
    /// Chosen by the client; answers name it.
    package let id: UInt64
    /// Nil if it is not known here.
    package let kind: GatewayRequestKind?
    /// The name of the kind.
    package let type: String
    /// All of it.
    package let object: JSONObject

    /// Reads one line.
    package init(_ line: some Collection<UInt8>) throws(AgentProtocolError) {
        let object = try BoundedJSON.object(line)
        guard let type = object.string("type"), let id = object.unsigned("id") else {
            throw AgentProtocolError(.malformed, "a request has no type, or no id")
        }
        let kind = GatewayRequestKind(rawValue: type)
        try kind?.check(object)
        (self.id, self.kind, self.type, self.object) = (id, kind, type, object)
    }

    /// A request of our own. Members that are nil are left out.
    package init(_ kind: GatewayRequestKind, id: UInt64, _ members: KeyValuePairs<String, JSONValue?> = [:]) {
        var object: JSONObject = ["type": .string(kind.rawValue), "id": .number(String(id))]
        for case (let name, let value?) in members { object.append(name, value) }
        (self.id, self.kind, type, self.object) = (id, kind, kind.rawValue, object)
    }

    /// The request, without the end of its line.
    package var text: String { JSONValue.object(object).text }
}

/// What a gateway tells: one line. It keeps everything that came, also kinds and members that are not known here.
package struct GatewayEvent: Sendable, Hashable {
    /// Nil if it is not known here.
    package let kind: GatewayEventKind?
    /// The name of the kind.
    package let type: String
    /// All of it.
    package let object: JSONObject

    /// Reads one line.
    package init(_ line: some Collection<UInt8>) throws(AgentProtocolError) {
        let object = try BoundedJSON.object(line)
        guard let type = object.string("type") else {
            throw AgentProtocolError(.malformed, "an event has no type")
        }
        let kind = GatewayEventKind(rawValue: type)
        try kind?.check(object)
        (self.kind, self.type, self.object) = (kind, type, object)
    }

    /// An event of our own. Members that are nil are left out.
    package init(_ kind: GatewayEventKind, _ members: KeyValuePairs<String, JSONValue?> = [:]) {
        var object: JSONObject = ["type": .string(kind.rawValue)]
        for case (let name, let value?) in members { object.append(name, value) }
        (self.kind, type, self.object) = (kind, kind.rawValue, object)
    }

    /// The event, without the end of its line.
    package var text: String { JSONValue.object(object).text }

    /// The text of a member; empty if there is none.
    package func string(_ name: String) -> String { object.string(name) ?? "" }

    /// The id of the request that it is about; nil if it names none.
    package var id: UInt64? { object.unsigned("id") }
}

extension JSONValue {
    /// An id, or another number that is not negative.
    package init(_ number: UInt64) { self = .number(String(number)) }
}

extension JSONObject {
    /// The whole number of 64 bits of a member; nil if it is absent or something else.
    package func unsigned(_ name: String) -> UInt64? {
        guard case .number(let spelling)? = self[name] else { return nil }
        return UInt64(spelling)
    }

    /// Whether the member is there and true.
    package func isTrue(_ name: String) -> Bool { self[name] == true }
}

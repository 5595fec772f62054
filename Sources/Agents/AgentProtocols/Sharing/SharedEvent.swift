internal import Errors
package import Wire

/// Something that a shared agent said or did, as it is kept and sent. It keeps everything that came, also kinds and members that this version does
/// not know.
package struct SharedEvent: Sendable, Hashable {
    /// The kinds of this version.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The agent has the prompt of a turn.
        case turnBegan = "turn_began"
        case text, reasoning
        /// The text since the last call of a tool does not count.
        case rolledBack = "rolled_back"
        case toolCall = "tool_call"
        case toolCallChanged = "tool_call_changed"
        case plan, permission
        /// A request was answered, withdrawn or given up.
        case permissionGone = "permission_gone"
        case usage, mode, title
        /// What is going on.
        case detail
        /// Something that a person should see beside the answer.
        case remark
        /// Something that the agent's owner does not show either.
        case other
        case turnEnded = "turn_ended"
        /// The agent is over. A turn that was under way is lost: nobody knows what it still did.
        case ended
    }

    /// Nil for one that this version does not know.
    package let kind: Kind?
    /// The whole event, with the members that are not known here.
    package let object: JSONObject

    /// Takes an event that was read as JSON.
    /// - Throws: `malformed` if it has no kind, or a known kind without the members that it must have.
    package init(_ object: JSONObject) throws(AgentProtocolError) {
        guard let name = object.string("kind") else {
            throw AgentProtocolError(.malformed, "an event says not what it is")
        }
        kind = Kind(rawValue: name)
        self.object = object
        if let kind { try MemberShape.check(object, has: kind.shapes, "members of an event") }
    }

    /// An event of our own.
    package init(_ kind: Kind, _ members: JSONObject = [:]) {
        var object: JSONObject = ["kind": .string(kind.rawValue)]
        for member in members.members { object.append(member.name, member.value) }
        (self.kind, self.object) = (kind, object)
    }

    /// One of a kind that is not part of the protocol, or with members that are not: for other processes of the same person.
    package init(own object: JSONObject) {
        kind = object.string("kind").flatMap(Kind.init)
        self.object = object
    }

    /// The bytes that it takes as JSON.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        JSONValue.object(object).write(to: &bytes)
        return bytes
    }
}

extension SharedEvent.Kind {
    /// The members that it must have.
    fileprivate var shapes: [String: MemberShape] {
        switch self {
        case .turnBegan: ["turn": .number]
        case .text, .reasoning, .detail, .remark: ["text": .string]
        case .toolCall, .toolCallChanged: ["call": .object]
        case .plan: ["steps": .array]
        case .permission: ["request": .number, "call": .object, "options": .array]
        case .permissionGone: ["request": .number]
        case .usage, .ended, .rolledBack: [:]
        case .mode, .title, .other: ["name": .string]
        case .turnEnded: ["reason": .string]
        }
    }
}

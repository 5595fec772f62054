internal import Errors
internal import Wire

/// The members that an object must have, read one by one.
struct ObjectMembers {
    let object: JSONObject
    /// What the object is, for errors: `a frame of the channel of agents`.
    let owner: String

    func lack(_ name: String) -> AgentProtocolError { AgentProtocolError(.malformed, "\(owner) lacks \(name)") }

    func text(_ name: String, atMost bytes: Int = .max) throws(AgentProtocolError) -> String {
        guard let text = object.string(name) else { throw lack(name) }
        guard text.utf8.count <= bytes else {
            throw AgentProtocolError(.tooLong, "\(name) of \(owner) is longer than \(bytes) bytes")
        }
        return text
    }

    /// A number small enough that adding small ones cannot overflow.
    func number(_ name: String) throws(AgentProtocolError) -> Int {
        guard let number = object.count(name), number < 1 << 53 else { throw lack(name) }
        return number
    }

    func object(_ name: String) throws(AgentProtocolError) -> JSONObject {
        guard let member = object[name]?.object else { throw lack(name) }
        return member
    }
}

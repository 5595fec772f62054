public import Wire

/// An error that an app can act on: a plain object with `runtimeException: true`, a `type`, and flags.
///
/// It travels as JSON, in `common.ErrorValue` between components and in `err` of a native call, and arrives as the same
/// plain object, not as an `Error`.
public struct RuntimeException: Error, Hashable, Sendable, CustomStringConvertible {
    /// Who complains: `file`, `ipc`, `rpc`, `http-request`, `connect`, `shell-command`, …
    public var type: String
    /// Everything beside `runtimeException` and `type`, in order.
    public var fields: JSONObject

    /// An exception with a type and further fields.
    public init(type: String, _ fields: JSONObject = [:]) {
        self.type = type
        self.fields = fields
    }

    /// An exception with one flag set, the usual kind.
    public init(type: String, flag: String, _ more: JSONObject = [:]) {
        var fields: JSONObject = [:]
        fields.append(flag, .bool(true))
        for member in more.members { fields.append(member.name, member.value) }
        self.init(type: type, fields)
    }

    /// Whether `flag` is set to true.
    public func has(_ flag: String) -> Bool { fields[flag] == .bool(true) }

    /// The same exception with what caused it as its field `cause`.
    public func caused(by cause: RuntimeException) -> RuntimeException {
        var exception = self
        exception.fields.append("cause", cause.json)
        return exception
    }

    /// The exception that caused this one.
    public var cause: RuntimeException? { fields["cause"].flatMap(RuntimeException.init(json:)) }

    /// For a log: `file notFound, code ENOENT, path notes.txt`.
    public var description: String {
        let details = fields.members.map { member in
            member.value == .bool(true) ? member.name : "\(member.name) \(member.value.string ?? member.value.text)"
        }
        return details.isEmpty ? type : "\(type) \(details.joined(separator: ", "))"
    }
}

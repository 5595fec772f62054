package import Errors

/// Why bytes of an agent or a model server were refused. Every reader of this module is total: whatever the bytes, it returns a value or throws
/// this error.
///
/// Its message: one sentence for a person, which never quotes the input.
package typealias AgentProtocolError = CodedError<AgentProtocolErrorCode>

/// What is wrong with the bytes, for code that decides.
package enum AgentProtocolErrorCode: String, NamedErrorCode {
    /// They are not JSON, or not a message of the protocol.
    case malformed
    /// One line or one event is longer than its limit.
    case tooLong
    /// Arrays and objects lie deeper in each other than the limit.
    case tooDeep
    /// The message has more values than the limit.
    case tooMany
}

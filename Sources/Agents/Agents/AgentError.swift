package import Errors

/// Why an agent cannot be used, or has ended.
///
/// Its message: one sentence for a person. It names programs and servers, never keys, prompts or what the agent wrote.
package typealias AgentError = CodedError<AgentErrorCode>

/// What went wrong, for code that decides.
package enum AgentErrorCode: String, NamedErrorCode {
    /// There is no such program, or it may not be run.
    case cannotStart
    /// The program ended, or was ended from outside.
    case ended
    /// It did not answer in time, and was ended.
    case silent
    /// What it said is not the protocol.
    case notUnderstood
    /// It speaks another version of the protocol.
    case otherVersion
    /// It answered that it will not.
    case refused
    /// It takes no pictures.
    case noPictures
    /// It wants to know first who asks: a key is missing, or wrong.
    case unauthorized
    /// Another machine answers than the one that was agreed on.
    case otherKey
    /// There is no server there, or the connection broke off.
    case unreachable
    /// There is a turn already, or the server has too much to do.
    case busy
    /// Something is longer than its limit.
    case tooLarge
    /// It was not started, or is over.
    case notRunning
    /// The request is not open any more.
    case gone
}

/// Why a client is not attached to a host process.
package enum AttachError: Error, Equatable, CustomStringConvertible {
    case ended(HostFrame.Code?)
    /// It did not take a question.
    case refused(HostFrame.Code)

    package var description: String {
        switch self {
        case .ended(.wrongVersion?): "the host process is of another version; end it: alcove host stop"
        case .ended(.tooMany?): "as many programs as possible use the host process; end one of them"
        case .ended(.ending?): "the host process has ended"
        case .refused(.locked): "the profile is locked"
        case .refused(let code): "the host process did not answer: \(code.rawValue)"
        case .ended(nil): "the host process has ended"
        case .ended(let reason?): "the host process ended the connection: \(reason.rawValue)"
        }
    }
}

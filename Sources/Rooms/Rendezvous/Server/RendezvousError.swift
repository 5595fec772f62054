/// Why a rendezvous server could not start.
public struct RendezvousError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Code: String, Sendable {
        /// The database cannot be opened or is not ours.
        case cannotOpenStore
        /// The address is taken, not of this machine, or the certificate cannot be used.
        case cannotListen
    }

    public let code: Code
    /// What went wrong and what to do about it.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}

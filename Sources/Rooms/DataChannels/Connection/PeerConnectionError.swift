@_exported public import Errors

/// What went wrong in this library: a code to branch on and a message that says what to do next.
///
/// Messages never contain key material, credentials or message content.
public typealias PeerConnectionError = CodedError<PeerConnectionErrorCode>

/// What kind of failure it was.
public enum PeerConnectionErrorCode: String, Codable, NamedErrorCode {
    /// A session description could not be read, or does not describe a data channel connection.
    case invalidDescription = "invalid_description"
    /// A candidate line could not be read.
    case invalidCandidate = "invalid_candidate"
    /// A configuration value is out of range or not supported.
    case invalidConfiguration = "invalid_configuration"
    /// A certificate or private key could not be made or read.
    case invalidCertificate = "invalid_certificate"
    /// The call does not fit the state of the connection or of the channel.
    case invalidState = "invalid_state"
    /// The message is larger than the peer accepts.
    case messageTooLarge = "message_too_large"
    /// The connection or the channel has been closed.
    case closed
    /// No path to the peer was found, or it was lost for good.
    case connectivity
    /// The DTLS handshake failed, or the peer's certificate is not the one that its description announced.
    case security
    /// The SCTP association could not be set up or was aborted.
    case transport
    /// A limit on memory or count was reached.
    case limit
}

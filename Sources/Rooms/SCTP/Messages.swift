public import Errors

/// How hard the association tries to deliver a message (RFC 3758, RFC 7496).
public enum Reliability: Sendable, Hashable {
    /// Until it is there.
    case reliable
    /// Each piece is sent again at most this often.
    case maxRetransmits(UInt32)
    /// For at most this long since it was given to the association.
    case lifetime(Nanoseconds)
}

/// A message to send. Its stream and identifier mean nothing to the association.
public struct OutgoingMessage: Sendable {
    /// At least one byte: SCTP cannot carry empty messages.
    public var bytes: [UInt8]
    /// The stream: smaller than ``Association/outgoingStreams``.
    public var stream: UInt16
    /// The payload protocol identifier.
    public var identifier: UInt32
    /// Whether the message waits for earlier ordered ones of its stream at the receiver.
    public var isOrdered: Bool
    /// What happens when it gets lost.
    public var reliability: Reliability

    /// A message to be sent; reliable and in order unless told otherwise.
    public init(
        _ bytes: [UInt8], stream: UInt16, identifier: UInt32, isOrdered: Bool = true,
        reliability: Reliability = .reliable
    ) {
        self.bytes = bytes
        self.stream = stream
        self.identifier = identifier
        self.isOrdered = isOrdered
        self.reliability = reliability
    }
}

/// What came from the peer, in the order in which it is to be handled. Until it is taken it counts against the receive
/// window, and so slows the peer down.
public enum Delivery: Sendable, Equatable {
    /// A whole message.
    case message(stream: UInt16, identifier: UInt32, bytes: [UInt8])
    /// The peer reset its outgoing streams (RFC 6525): nothing more comes on them before the peer begins anew. Empty means
    /// all.
    case streamsReset([UInt16])
}

/// What happened to the association, apart from what was delivered.
public enum AssociationEvent: Sendable, Equatable {
    /// Messages can be sent. Also after the peer restarted: see ``restarted``.
    case established
    /// The peer began anew with the same ports (RFC 9260 section 5.2.4.1). What was unsent or unacknowledged is gone,
    /// and all streams begin anew.
    case restarted
    /// After ``Association/isWritable`` was false, it is true again.
    case writable
    /// Our reset of these streams was carried out, or, if `performed` is false, refused for good.
    case resetDone([UInt16], performed: Bool)
    /// A message of limited reliability was given up after part of it had been sent.
    case abandoned(stream: UInt16)
    /// Final: nothing is sent or received any more. Deliveries may still be taken.
    case closed(CloseReason)
}

/// Why an association is over.
public enum CloseReason: Sendable, Equatable {
    /// Both sides shut it down in order.
    case shutdown
    /// ``Association/abort(_:)`` was called.
    case abortedHere
    /// The peer sent ABORT, with this error cause and text, if any (RFC 9260 section 3.3.10). The text is the peer's:
    /// not fit to be shown without escaping.
    case abortedByPeer(cause: UInt16?, text: String)
    /// The peer broke the protocol; what it did.
    case violation(String)
    /// The peer sent a message of more than ``Configuration/maxMessageSize`` bytes.
    case messageTooLarge
    /// No answer to INIT or COOKIE ECHO.
    case handshakeTimedOut
    /// No acknowledgement for all the retransmissions that are allowed.
    case peerGone
}

/// What can go wrong when a program uses an association.
public enum SCTPErrorCode: ErrorCode {
    /// The association is not, or no longer, able to do this.
    case notConnected
    /// The message has no bytes.
    case emptyMessage
    /// The stream does not exist.
    case noSuchStream
    /// More waits than ``Configuration/sendLimit`` allows.
    case limit
}

/// An error of this module, with a sentence for people.
public typealias SCTPError = CodedError<SCTPErrorCode>

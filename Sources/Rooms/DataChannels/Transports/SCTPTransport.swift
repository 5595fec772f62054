/// The SCTP association of a connection (RFC 8831 section 6). Used on one loop only.
///
/// Packets come in through ``receive(_:)`` and go out through `handlers.transmit`; whole messages in both directions.
protocol SCTPTransport: AnyObject {
    var state: SCTPState { get }

    /// Begins. Both sides do; SCTP resolves the collision (RFC 9260 section 5.2).
    func connect()

    /// Takes one packet. What does not belong to the association is dropped.
    func receive(_ packet: UnsafeRawBufferPointer)

    /// Says that messages may be passed on again that were held back while `handlers.mayReceive` said no.
    func attend()

    /// At the end of a round of events, before the last messages are given to ``send(_:stream:identifier:policy:)``: passes on
    /// what came.
    func deliver()

    /// Sends what is to leave at the end of a round of events.
    func flush()

    /// Offers a message.
    func send(_ bytes: [UInt8], stream: UInt16, identifier: UInt32, policy: SCTPPolicy) -> SCTPSendResult

    /// Drops what was taken of a stream and has not been begun.
    func discardUnsent(_ stream: UInt16)

    /// Requests a reset of our direction of these streams (RFC 6525).
    func reset(_ streams: [UInt16])

    /// How many streams there are in our direction: the highest number of one plus one.
    var streams: UInt16 { get }

    /// The smoothed round trip time in seconds.
    var roundTripTime: Double? { get }

    /// Bytes that may be under way.
    var congestionWindow: Int? { get }

    /// Sends ABORT and frees the association.
    func close()
}

enum SCTPState: Equatable {
    case connecting, connected, closed
    case failed(PeerConnectionError)
}

/// What an association calls, always on the loop.
struct SCTPHandlers {
    var transmit: (UnsafeRawBufferPointer) -> Void
    var message: (_ stream: UInt16, _ identifier: UInt32, _ bytes: [UInt8]) -> Void
    /// The peer reset its outgoing streams, so nothing more arrives on them. None named means all.
    var incomingReset: ([UInt16]) -> Void
    /// Our reset of these streams is done, or was finally refused.
    var outgoingReset: ([UInt16]) -> Void
    var stateChanged: (SCTPState) -> Void
    /// Whether IP may cut packets from now on. At first it may not.
    var mayFragment: (Bool) -> Void
    /// Something waits for ``SCTPTransport/flush()``.
    var pending: () -> Void
    /// SCTP has room to send again.
    var writable: () -> Void
    /// Whether messages may be read from SCTP now. Otherwise they wait there, and flow control slows the peer down.
    var mayReceive: () -> Bool
}

/// How one message is sent.
struct SCTPPolicy: Hashable {
    var isOrdered = true
    var reliability = DCEP.Reliability.reliable
    /// The share of the message's stream beside others (RFC 8831 section 6.4).
    var priority = DataChannelConfiguration.Priority.low
}

enum SCTPSendResult: Equatable {
    case taken
    case full
    case failed
}

/// The numbers of chunks (RFC 9260 section 3.2, RFC 3758, RFC 4820, RFC 6525, RFC 8260).
enum ChunkType {
    static let data: UInt16 = 0
    static let initiation: UInt16 = 1
    static let initiationAcknowledgement: UInt16 = 2
    static let selectiveAcknowledgement: UInt16 = 3
    static let heartbeat: UInt16 = 4
    static let heartbeatAcknowledgement: UInt16 = 5
    static let abort: UInt16 = 6
    static let shutdown: UInt16 = 7
    static let shutdownAcknowledgement: UInt16 = 8
    static let error: UInt16 = 9
    static let cookieEcho: UInt16 = 10
    static let cookieAcknowledgement: UInt16 = 11
    static let shutdownComplete: UInt16 = 14
    static let interleavedData: UInt16 = 64
    static let reconfiguration: UInt16 = 130
    static let padding: UInt16 = 132
    static let forwardTSN: UInt16 = 192
    static let interleavedForwardTSN: UInt16 = 194
}

/// The flags of DATA and I-DATA (RFC 9260 section 3.3.1), and of ABORT and SHUTDOWN COMPLETE.
enum ChunkFlag {
    static let ending: UInt8 = 1
    static let beginning: UInt8 = 2
    static let unordered: UInt8 = 4
    /// Asks for an acknowledgement at once (RFC 7053).
    static let immediate: UInt8 = 8
    /// The tag is the receiver's own reflected, because the sender knows no other.
    static let reflectedTag: UInt8 = 1
}

/// The numbers of parameters.
enum ParameterType {
    static let heartbeatInformation: UInt16 = 1
    static let ipv4Address: UInt16 = 5
    static let ipv6Address: UInt16 = 6
    static let cookie: UInt16 = 7
    static let unrecognized: UInt16 = 8
    static let cookiePreservative: UInt16 = 9
    static let hostName: UInt16 = 11
    static let addressTypes: UInt16 = 12
    static let outgoingReset: UInt16 = 13
    static let incomingReset: UInt16 = 14
    static let associationReset: UInt16 = 15
    static let reconfigurationResponse: UInt16 = 16
    static let addOutgoingStreams: UInt16 = 17
    static let addIncomingStreams: UInt16 = 18
    static let congestionNotification: UInt16 = 0x8000
    static let zeroChecksum: UInt16 = 0x8001
    static let random: UInt16 = 0x8002
    static let chunkList: UInt16 = 0x8003
    static let authenticationAlgorithms: UInt16 = 0x8004
    static let padding: UInt16 = 0x8005
    static let supportedExtensions: UInt16 = 0x8008
    static let forwardTSN: UInt16 = 0xC000
    static let adaptation: UInt16 = 0xC006
}

/// The causes of ERROR and ABORT (RFC 9260 section 3.3.10).
enum ErrorCause {
    static let invalidStream: UInt16 = 1
    static let staleCookie: UInt16 = 3
    static let unresolvableAddress: UInt16 = 5
    static let unrecognizedChunk: UInt16 = 6
    static let invalidParameter: UInt16 = 7
    static let unrecognizedParameters: UInt16 = 8
    static let noUserData: UInt16 = 9
    static let cookieWhileShuttingDown: UInt16 = 10
    static let userAbort: UInt16 = 12
    static let protocolViolation: UInt16 = 13
}

/// What to do with a type that is unknown, by its two highest bits (RFC 9260 sections 3.2 and 3.2.1).
struct UnknownRule {
    var goesOn: Bool
    var reports: Bool

    init(chunk type: UInt16) { (goesOn, reports) = (type & 0x80 != 0, type & 0x40 != 0) }

    init(parameter type: UInt16) { (goesOn, reports) = (type & 0x8000 != 0, type & 0x4000 != 0) }
}

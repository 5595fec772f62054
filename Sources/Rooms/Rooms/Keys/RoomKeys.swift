package import DataChannels

/// What this machine must keep secret of one room to come back to it: its proof for the server, its certificate, and
/// the key of the other side that it has pinned. Stored only sealed.
package struct RoomKeys: Sendable, Codable {
    /// What the server wants to see before it does anything for this room.
    package var ticket: String
    package var certificate: StoredCertificate
    /// The other side's key, from the first connection on.
    package var pinned: Fingerprint?
    package var trust = RoomTrust.unmet
    /// What a successful verification left, so that the next one needs no words.
    package var resumption: [UInt8]?
    /// Whether the other side has shown that it remembers, too. Until then the words may be needed once more: the last
    /// confirmation may not have reached it.
    package var peerRemembers: Bool?
    /// How often the words were tried without an answer (``RoomVerification/attemptLimit``).
    package var attemptsSpent = 0
    /// How this room's two people meet again without a code, once they have begun to.
    package var meeting: MeetingRecord?

    package init(ticket: String, certificate: Certificate) {
        self.ticket = ticket
        self.certificate = StoredCertificate(certificate)
    }
}

extension RoomKeys {
    /// Goes over to the room of a meeting: a new proof for the server, a new certificate, and the other side's is not known
    /// yet. Who the other side is must be proven by `resumption`, never again by words or not at all.
    mutating func move(to found: FoundRoom, certificate: Certificate, resumption: [UInt8]) {
        ticket = found.ticket
        self.certificate = StoredCertificate(certificate)
        pinned = nil
        self.resumption = resumption
        peerRemembers = true
        attemptsSpent = 0
        meeting = MeetingRecord(met: found.room)
    }
}

/// What this machine knows of who is at the other side of a room.
package enum RoomTrust: String, Sendable, Codable {
    /// Never connected.
    case unmet
    /// Connected without words, and nobody has compared the safety number.
    case unverified
    /// Both sides had the words, or the people compared the safety number.
    case verified
    /// The words did not match, or the safety numbers differed: nothing is sent in this room any more.
    case refused
}

/// A DTLS certificate with its private key, as it lies in the sealed store.
package struct StoredCertificate: Sendable, Codable {
    private var der: [UInt8]
    private var privateKeyDER: [UInt8]

    init(_ certificate: Certificate) {
        der = certificate.certificateDER
        privateKeyDER = certificate.privateKeyDER
    }

    func opened() throws -> Certificate {
        try Certificate(certificateDER: der, privateKeyDER: privateKeyDER)
    }
}

/// Where the keys of rooms are kept, sealed. The profile implements it.
package protocol RoomKeyStore: Sendable {
    func load(room: String) throws -> RoomKeys?
    func save(_ keys: RoomKeys, room: String) throws
    func delete(rooms: [String]) throws
}

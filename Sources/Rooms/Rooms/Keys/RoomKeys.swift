package import DataChannels

/// The secrets with which this machine returns to a room: its proof for the server, its certificate, and the pinned key
/// of the other side. Stored only sealed.
package struct RoomKeys: Sendable, Codable {
    /// The proof that the server demands for this room.
    package var ticket: String
    package var certificate: StoredCertificate
    /// The other side's key, from the first connection on.
    package var pinned: Fingerprint?
    package var trust = RoomTrust.unmet
    /// The secret of a successful verification, so that the next one needs no words.
    package var resumption: [UInt8]?
    /// Whether the other side has shown that it has the secret, too. Until then the words may be needed once more,
    /// because the last confirmation may not have reached it.
    package var peerRemembers: Bool?
    /// How often the words were tried without an answer (``RoomVerification/attemptLimit``).
    package var attemptsSpent = 0
    /// The record of meetings without a code, once there was one.
    package var meeting: MeetingRecord?

    package init(ticket: String, certificate: Certificate) {
        self.ticket = ticket
        self.certificate = StoredCertificate(certificate)
    }
}

extension RoomKeys {
    /// Changes to the room of a meeting: with a new proof for the server, a new certificate, and no pinned key yet. The
    /// other side must prove itself with `resumption`, never again with words or not at all.
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

/// How well this machine knows the other side of a room.
package enum RoomTrust: String, Sendable, Codable {
    /// Never connected.
    case unmet
    /// Connected without words, and the safety number was not compared.
    case unverified
    /// Both sides had the words, or the people compared the safety number.
    case verified
    /// The words did not match, or the safety numbers differed. Nothing more is sent in this room.
    case refused
}

/// A DTLS certificate with its private key, as kept in the sealed store.
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

/// The sealed store of room keys. The profile implements it.
package protocol RoomKeyStore: Sendable {
    func load(room: String) throws -> RoomKeys?
    func save(_ keys: RoomKeys, room: String) throws
    func delete(rooms: [String]) throws
}

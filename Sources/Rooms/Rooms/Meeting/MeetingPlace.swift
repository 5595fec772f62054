import Cryptography
import Wire

/// Where two people who share a secret meet at a rendezvous server: under an id that only they can compute, and that
/// changes every six hours, so that the server cannot tell that the same two meet again.
///
/// `docs/protocols/rendezvous.md`, "Meetings".
struct MeetingPlace: Sendable {
    private let secret: SecretBytes

    /// - Parameter secret: what the two share (`SealingSession.meetingSecret()`), at least 16 bytes.
    init(secret: SecretBytes) { self.secret = secret }

    /// The id of the meeting in a period: 128 bits as 26 characters of base32.
    func id(in period: MeetingPeriod) throws(CryptographyError) -> String {
        var info = Array("alcove meeting 1".utf8)
        for shift in stride(from: 56, through: 0, by: -8) {
            info.append(UInt8(truncatingIfNeeded: period.number >> Int64(shift)))
        }
        return Base32.encode(try HKDF.derive(secret, info: info, count: 16).withUnsafeBytes { Array($0) })
    }

    /// The secret that replaces the join code's words in the verification: 32 bytes.
    func resumption() throws(CryptographyError) -> SecretBytes {
        try HKDF.derive(secret, info: Array("alcove meeting resumption 1".utf8), count: 32)
    }
}

/// Six hours of UTC, counted from 1970.
struct MeetingPeriod: Hashable, Sendable {
    /// Milliseconds.
    static let length: Int64 = 6 * 3600 * 1000

    let number: Int64

    init(number: Int64) { self.number = number }

    /// - Parameter time: milliseconds since 1970.
    init(at time: Int64) { number = time / Self.length }

    /// How far a clock may be wrong, in milliseconds.
    static let border: Int64 = 30 * 60 * 1000

    /// The period that it may be by the other side's clock: near a border, the one before or after. Checking there at
    /// other times would show the server which ids belong together.
    func neighbour(at time: Int64) -> MeetingPeriod? {
        if time < number * Self.length + Self.border { return Self(number: number - 1) }
        if remaining(at: time) <= Self.border { return Self(number: number + 1) }
        return nil
    }

    /// Milliseconds until its end; 0 if it is over.
    func remaining(at time: Int64) -> Int64 { max(0, (number + 1) * Self.length - time) }
}

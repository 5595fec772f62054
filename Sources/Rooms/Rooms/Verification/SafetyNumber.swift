package import Cryptography

extension SafetyNumber {
    /// The number of one connection of a room.
    ///
    /// - Parameters:
    ///   - local: the SHA-256 digest of this side's DTLS certificate.
    ///   - remote: that of the other side's. The order does not matter to the result.
    package init(local: [UInt8], remote: [UInt8], roomID: String) {
        self.init(local: local, remote: remote, domain: "alcove safety number 1\0\(roomID)")
    }
}

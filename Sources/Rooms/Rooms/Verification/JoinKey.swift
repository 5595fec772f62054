package import Cryptography

/// The words of a join code, prepared for ``RoomVerification``.
///
/// Making it takes a tenth of a second and 32 MiB on purpose, so make it once for each code, in the background, while
/// the room is still being found.
package struct JoinKey: Sendable {
    let scalar: P256.Scalar

    /// nil if the code has no words.
    package init?(_ code: JoinCode) throws(CryptographyError) {
        guard let secret = code.secret else { return nil }
        // Fixed by the protocol, because both sides have to derive the same number.
        let cost = try Scrypt.Cost(logN: 15, r: 8, p: 1)
        scalar = try SPAKE2Exchange.passwordScalar(
            secret, salt: Array("alcove join words 1 \(code.digits)".utf8), cost: cost)
    }

    /// From a number, so that tests do not wait.
    package init(scalar: P256.Scalar) {
        self.scalar = scalar
    }
}

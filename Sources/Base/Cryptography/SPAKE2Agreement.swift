/// The outcome of a ``SPAKE2Exchange``: keys that both sides have in common if their passwords were the same.
package struct SPAKE2Agreement: Sendable {
    /// The key Ke of the RFC, 16 bytes. Use it only after the other side's confirmation was right.
    package let sessionKey: SecretBytes
    private let side: SPAKE2Exchange.Side
    private let transcript: SecretBytes
    private let confirmationKey: SecretBytes

    init(side: SPAKE2Exchange.Side, transcript: SecretBytes) throws(CryptographyError) {
        self.side = side
        self.transcript = transcript
        let digest = HashFunction.sha256.digest(transcript)
        sessionKey = try digest.slice(0..<16)
        confirmationKey = try digest.slice(16..<32)
    }

    /// What each side sends to prove that it has the same key and means the same context.
    package struct Confirmation: Sendable {
        /// Bytes of an authentication code.
        package static let byteCount = 32
        /// The authentication code to send.
        package let local: [UInt8]
        private let expected: [UInt8]

        fileprivate init(local: [UInt8], expected: [UInt8]) {
            self.local = local
            self.expected = expected
        }

        /// Whether the other side has proved the same. Compared in constant time.
        package func isConfirmed(by received: [UInt8]) -> Bool {
            ConstantTime.areEqual(expected, received)
        }
    }

    /// - Parameter context: the RFC's additional authenticated data, which has to be equal on both sides.
    package func confirmation(binding context: [UInt8]) throws(CryptographyError) -> Confirmation {
        let label = Array("ConfirmationKeys".utf8)
        let keys = try HKDF.derive(confirmationKey, info: label + context, count: 32)
        let codeA = HMAC.code(transcript, key: try keys.slice(0..<16))
        let codeB = HMAC.code(transcript, key: try keys.slice(16..<32))
        return side == .a
            ? Confirmation(local: codeA, expected: codeB) : Confirmation(local: codeB, expected: codeA)
    }
}

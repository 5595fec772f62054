public import Cryptography

extension NanoTDF {
    /// Defects that a reader may choose to accept.
    public struct Leniency: OptionSet, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// A policy that does not belong to the header.
        public static let wrongBinding = Leniency(rawValue: 1)
        /// A signature that does not fit the bytes.
        public static let wrongSignature = Leniency(rawValue: 2)
        /// A signature from before the signature flag was set.
        public static let signatureBeforeFlag = Leniency(rawValue: 4)
        /// Decrypting a policy that has no tag. It may have been changed unnoticed.
        public static let policyWithoutTag = Leniency(rawValue: 8)
    }

    /// The content of a NanoTDF, and how far to trust it.
    public struct Opened: Sendable {
        /// The content.
        public let plaintext: [UInt8]
        /// The policy as far as it can be read.
        public let policy: OpenedPolicy
        /// Whether the policy belongs to the file.
        public let binding: BindingCheck
        /// What the signature proves.
        public let signature: SignatureCheck
        /// How the nonce was made, which shows the program that wrote the file.
        public let nonceRule: NonceRule
        /// nil if the payload key was given.
        public let keyDerivation: KeyDerivation?
    }

    /// Opens it with the private key that it was sealed to.
    ///
    /// Checks the signature and the binding, reports the results, and refuses wrong ones unless `leniency` accepts
    /// them.
    public func open(
        with privateKey: EllipticCurve.PrivateKey, allowing leniency: Leniency = []
    ) throws(NanoTDFError) -> Opened {
        try open(PayloadOpener(header: header, privateKey: privateKey), leniency)
    }

    /// Opens it with the payload key, which a Key Access Service gave out.
    public func open(payloadKey: SecretBytes, allowing leniency: Leniency = []) throws(NanoTDFError) -> Opened {
        try open(PayloadOpener(header: header, payloadKey: payloadKey), leniency)
    }

    private func open(_ opener: PayloadOpener, _ leniency: Leniency) throws(NanoTDFError) -> Opened {
        let signature = checkSignature()
        try leniency.accept(signature)
        var opener = opener
        let plaintext: [UInt8]
        do {
            plaintext = try opener.open(payload)
        } catch {
            // The signature is valid, so the bytes are right and the key must be wrong.
            guard case .valid = signature, error.code == .cannotOpen else { throw error }
            throw NanoTDFError(.wrongKey, "the file is as its signer left it, so it was sealed to another key")
        }
        return Opened(
            plaintext: plaintext, policy: opener.policy(allowing: leniency),
            binding: try opener.binding(allowing: leniency),
            signature: signature, nonceRule: opener.nonceRule, keyDerivation: opener.keyDerivation)
    }
}

extension NanoTDF.Leniency {
    func accept(_ check: NanoTDF.SignatureCheck) throws(NanoTDFError) {
        switch check {
        case .absent, .valid: break
        case .beforeFlag where contains(.signatureBeforeFlag): break
        case .beforeFlag:
            throw NanoTDFError(
                .signedBeforeFlag,
                "the signature is of the bytes before the signature flag was set, as OpenTDFKit signs; it is not accepted"
            )
        case .wrong where contains(.wrongSignature): break
        case .wrong: throw NanoTDFError(.wrongSignature, "the signature does not fit the bytes: they were changed")
        }
    }
}

public import Cryptography

extension NanoTDF {
    /// The bytes before the payload. Only a signature or a binding protects them: see `docs/protocols/nanotdf.md`.
    public struct Header: Hashable, Sendable {
        /// The version, which also decides the salt of the key.
        public let version: Version
        /// The Key Access Service, or another holder of the private key.
        public let kas: ResourceLocator
        /// The public key that the file is sealed to. Only ``Version/l1m`` has it.
        public let readerKey: ReaderKey?
        /// The curve of the ephemeral key, and so of the reader's.
        public let curve: EllipticCurve
        /// The cipher of the payload, and of a policy that is encrypted.
        public let cipher: Cipher
        /// The curve of the signature, if there is one.
        public let signatureCurve: EllipticCurve?
        /// Who may read the file, or where that is written.
        public let policy: Policy
        /// The binding of the policy to this header.
        public let binding: Binding
        /// The sender's public key, compressed, made for this header alone. Reading does not check that it is on the curve;
        /// opening does.
        public let ephemeralKey: [UInt8]
        /// Bits without a meaning here, which are kept: 3 to 6 of the first flag byte, and 4 to 6 of the second if
        /// there is no signature.
        let unused: (modes: UInt8, configuration: UInt8)

        /// Reads a header that nothing follows.
        public init(_ bytes: some Collection<UInt8>) throws(NanoTDFError) {
            self = try NanoTDFParser.parseHeader(Array(bytes))
        }

        init(
            version: Version = .l1l, kas: ResourceLocator, readerKey: ReaderKey? = nil, curve: EllipticCurve,
            cipher: Cipher, signatureCurve: EllipticCurve?, policy: Policy, binding: Binding, ephemeralKey: [UInt8],
            unused: (modes: UInt8, configuration: UInt8) = (0, 0)
        ) {
            self.version = version
            self.kas = kas
            self.readerKey = readerKey
            self.curve = curve
            self.cipher = cipher
            self.signatureCurve = signatureCurve
            self.policy = policy
            self.binding = binding
            self.ephemeralKey = ephemeralKey
            self.unused = unused
        }

        /// What stands on the wire.
        public var bytes: [UInt8] {
            var bytes = version.magic + kas.bytes
            if let readerKey { bytes += [readerKey.curve.nanoTDFCode] + readerKey.compressed }
            bytes += [modes, configuration]
            bytes += policy.bytes
            bytes += binding.bytes
            return bytes + ephemeralKey
        }

        /// Bit 7: ECDSA binding. Bits 0 to 2: curve.
        var modes: UInt8 { (binding.isECDSA ? 0x80 : 0) | unused.modes | curve.nanoTDFCode }

        /// Bit 7: there is a signature. Bits 4 to 6: its curve. Bits 0 to 3: cipher.
        var configuration: UInt8 {
            let signature = signatureCurve.map { 0x80 | $0.nanoTDFCode << 4 } ?? unused.configuration
            return signature | cipher.rawValue
        }

        public static func == (left: Header, right: Header) -> Bool { left.bytes == right.bytes }
        public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
    }

    /// The key that ``Version/l1m`` names.
    public struct ReaderKey: Hashable, Sendable {
        /// The curve of the key.
        public let curve: EllipticCurve
        /// The key, compressed.
        public let compressed: [UInt8]
    }
}

// For Key Access Services and their clients, which have a header without a payload, or a payload key without a private
// key.

extension NanoTDF.Header {
    /// The header of a file; what follows it is not read.
    public static func beginning(_ file: some Collection<UInt8>) throws(NanoTDFError) -> NanoTDF.Header {
        try NanoTDFParser.parseDatasetHeader(Array(file.prefix(NanoTDFDatasetReader.headerByteLimit))).header
    }

    /// The policy, decrypted if the payload key allows it.
    public func policy(payloadKey: SecretBytes) throws(NanoTDFError) -> NanoTDF.OpenedPolicy {
        try PayloadOpener(header: self, payloadKey: payloadKey).policy(allowing: [])
    }
}

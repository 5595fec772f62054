public import Cryptography

/// Writes a dataset: one header, then any number of payloads, so that data of any length needs little memory.
///
/// It is a value without I/O: write the bytes that it returns in order. The vectors count from 1, big-endian, as in
/// other implementations; when they run out, a new header with a new key follows. The last payload is empty, so that a
/// reader knows that nothing was cut off.
public struct NanoTDFDatasetWriter: Sendable {
    /// A size of payloads that suits most uses: 1 MiB of plaintext.
    public static let customaryByteCount = 1 << 20
    /// Payloads under one header: as many as there are vectors other than the policy's.
    public static let payloadLimit = 0xff_ffff

    private let sealer: NanoTDFSealer
    private let publicKey: EllipticCurve.PublicKey
    private let limit: Int
    private var key: SecretBytes?
    private var counter = 0

    /// Throws if the sealer signs: a signature covers one payload, and datasets have no place for it.
    public init(_ sealer: NanoTDFSealer, to publicKey: EllipticCurve.PublicKey) throws(NanoTDFError) {
        try self.init(sealer, to: publicKey, payloadLimit: Self.payloadLimit)
    }

    /// The same with fewer payloads a header, for tests.
    package init(
        _ sealer: NanoTDFSealer, to publicKey: EllipticCurve.PublicKey, payloadLimit: Int
    ) throws(NanoTDFError) {
        guard sealer.signer == nil else {
            throw NanoTDFError(.unsupported, "a dataset cannot be signed: a signature is of one payload")
        }
        self.sealer = sealer
        self.publicKey = publicKey
        limit = min(payloadLimit, Self.payloadLimit)
    }

    /// The bytes of the next payload, and of a header if one is due. The plaintext is not empty and fits one payload.
    public mutating func append(_ plaintext: some Collection<UInt8>) throws(NanoTDFError) -> [UInt8] {
        guard !plaintext.isEmpty else {
            throw NanoTDFError(.unsupported, "an empty payload would say that this is the end")
        }
        return try next(plaintext)
    }

    /// The bytes that end the dataset.
    public mutating func finish() throws(NanoTDFError) -> [UInt8] { try next([]) }

    private mutating func next(_ plaintext: some Collection<UInt8>) throws(NanoTDFError) -> [UInt8] {
        try check(plaintext.count)
        var header: [UInt8] = []
        let key: SecretBytes
        if let current = self.key, counter < limit {
            key = current
        } else {
            let ephemeral = try NanoTDFSealer.ephemeralKey(for: publicKey)
            let beginning = try sealer.begin(to: publicKey, ephemeral: ephemeral)
            (header, key) = (beginning.header.bytes, beginning.key)
            (self.key, counter) = (key, 0)
        }
        counter += 1
        let vector = [16, 8, 0].map { UInt8(truncatingIfNeeded: counter >> $0) }
        return header + (try sealer.payload(plaintext, key: key, vector: vector).bytes)
    }

    /// A payload begins with its length and a header with letters, so some lengths look like a header.
    private func check(_ count: Int) throws(NanoTDFError) {
        let length = NanoTDF.Payload.vectorByteCount + count + sealer.cipher.tagByteCount
        guard !NanoTDF.Version.allCases.contains(where: { $0.magic.reduce(0) { $0 << 8 | Int($1) } == length }) else {
            throw NanoTDFError(.unsupported, "a payload of this length looks like a header: take one byte more or less")
        }
        guard count <= sealer.plaintextByteLimit else {
            throw NanoTDFError(
                .limitExceeded, "one payload holds at most \(sealer.plaintextByteLimit) bytes, not \(count)")
        }
    }
}

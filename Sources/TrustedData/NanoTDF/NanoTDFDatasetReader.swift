public import Cryptography

/// Opens a dataset as it arrives. It is a value without I/O that keeps no more than one payload, at most 16 MiB.
///
/// The vectors have to count: who takes payloads out, doubles them or changes their order is noticed. Who cuts off the end is
/// noticed by ``isEnded``, and who drops all payloads under one header by nothing.
public struct NanoTDFDatasetReader: Sendable {
    /// No header is longer: two addresses with identifiers, the largest policy, keys and binding on P-521.
    static let headerByteLimit = 70_000

    /// What opens the payloads.
    private enum Key {
        case privateKey(EllipticCurve.PrivateKey)
        case payloadKey(SecretBytes)
    }

    private let key: Key
    private let leniency: NanoTDF.Leniency
    private var buffer: [UInt8] = []
    private var consumed = 0
    private var section: Section?

    /// The header of the payloads that come now.
    public var header: NanoTDF.Header? { section?.opener.header }
    /// What its binding is.
    public var binding: NanoTDF.BindingCheck? { section?.binding }
    /// The policy of that header, as far as this reader can read it.
    public var policy: NanoTDF.OpenedPolicy? { section?.opener.policy(allowing: leniency) }
    /// Payloads so far, under all headers.
    public private(set) var payloadCount = 0
    /// Whether the last payload was empty. Our writer ends that way, others' do not.
    public private(set) var isEnded = false

    public init(with privateKey: EllipticCurve.PrivateKey, allowing leniency: NanoTDF.Leniency = []) {
        key = .privateKey(privateKey)
        self.leniency = leniency
    }

    /// For payloads under one header, whose key a Key Access Service gave out. Those under further headers do not open.
    public init(payloadKey: SecretBytes, allowing leniency: NanoTDF.Leniency = []) {
        key = .payloadKey(payloadKey)
        self.leniency = leniency
    }

    /// Takes the next bytes and returns the plaintexts of the payloads that are whole now.
    public mutating func read(_ bytes: some Collection<UInt8>) throws(NanoTDFError) -> [[UInt8]] {
        buffer += bytes
        return try drain(isLast: false)
    }

    /// Says that no bytes follow. Throws if there was no header, or half a payload.
    public mutating func finish() throws(NanoTDFError) -> [[UInt8]] {
        let rest = try drain(isLast: true)
        guard payloadCount > 0, buffer.isEmpty else {
            throw NanoTDFError(.truncated, "the dataset ends inside of a payload", at: consumed + buffer.count)
        }
        return rest
    }

    private mutating func drain(isLast: Bool) throws(NanoTDFError) -> [[UInt8]] {
        var plaintexts: [[UInt8]] = []
        var position = 0
        defer {
            buffer.removeFirst(position)
            consumed += position
        }
        while true {
            let rest = buffer[position...]
            if section == nil || NanoTDF.Version.allCases.contains(where: { rest.starts(with: $0.magic) }) {
                guard !rest.isEmpty, isLast || rest.count >= Self.headerByteLimit else { return plaintexts }
                position += try begin(rest.prefix(Self.headerByteLimit), at: consumed + position)
            } else {
                guard let payload = whole(rest) else { return plaintexts }
                guard let plaintext = try section?.open(payload, at: consumed + position) else { return plaintexts }
                position += 3 + payload.vector.count + payload.sealed.count
                payloadCount += 1
                isEnded = plaintext.isEmpty
                if !isEnded { plaintexts.append(plaintext) }
            }
        }
    }

    /// Takes a header, and returns its length.
    private mutating func begin(_ bytes: ArraySlice<UInt8>, at offset: Int) throws(NanoTDFError) -> Int {
        do {
            let (header, count) = try NanoTDFParser.parseDatasetHeader(Array(bytes))
            section = try Section(header, with: key, leniency)
            return count
        } catch {
            throw NanoTDFError(error.code, error.message, at: error.offset.map { $0 + offset })
        }
    }

    /// The payload at the front, if all of it is there.
    private func whole(_ bytes: ArraySlice<UInt8>) -> NanoTDF.Payload? {
        guard bytes.count >= 3 else { return nil }
        let count = bytes.prefix(3).reduce(0) { $0 << 8 | Int($1) }
        let body = bytes.dropFirst(3).prefix(count)
        guard body.count == count else { return nil }
        return NanoTDF.Payload(
            vector: Array(body.prefix(NanoTDF.Payload.vectorByteCount)),
            sealed: Array(body.dropFirst(NanoTDF.Payload.vectorByteCount)))
    }
}

extension NanoTDFDatasetReader {
    /// A header and where its payloads have got to.
    private struct Section {
        var opener: PayloadOpener
        let binding: NanoTDF.BindingCheck
        private var counts: (bigEndian: Int, littleEndian: Int)?

        init(
            _ header: NanoTDF.Header, with key: Key, _ leniency: NanoTDF.Leniency
        ) throws(NanoTDFError) {
            guard header.signatureCurve == nil else {
                throw NanoTDFError(.unsupported, "a signed NanoTDF has one payload, and is no dataset")
            }
            opener =
                switch key {
                case .privateKey(let key): try PayloadOpener(header: header, privateKey: key)
                case .payloadKey(let key): try PayloadOpener(header: header, payloadKey: key)
                }
            binding = try opener.binding(allowing: leniency)
        }

        mutating func open(_ payload: NanoTDF.Payload, at offset: Int) throws(NanoTDFError) -> [UInt8] {
            guard payload.vector.count == NanoTDF.Payload.vectorByteCount, count(payload.vector) else {
                throw NanoTDFError(
                    .altered, "a payload is missing, doubled or out of order: its number is not the next", at: offset)
            }
            do {
                return try opener.open(payload)
            } catch {
                throw NanoTDFError(error.code, error.message, at: offset)
            }
        }

        /// Whether a vector is the next. Most begin with 1 and count big-endian; Go's begin with 0 and count little-endian.
        private mutating func count(_ vector: [UInt8]) -> Bool {
            let bigEndian = vector.reduce(0) { $0 << 8 | Int($1) }
            let littleEndian = vector.reversed().reduce(0) { $0 << 8 | Int($1) }
            defer { counts = (bigEndian, littleEndian) }
            guard let counts else { return bigEndian <= 1 || littleEndian <= 1 }
            return bigEndian == counts.bigEndian + 1 || littleEndian == counts.littleEndian + 1
        }
    }
}

public import Cryptography

/// Opens a dataset as it arrives. It is a value without I/O that keeps no more than one payload, at most 16 MiB.
///
/// The vectors have to count in one byte order. So the reader notices when payloads are missing, doubled or out of
/// order. ``isEnded`` tells whether the end was cut off. The format does not show whether all payloads under one header
/// were dropped.
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
    /// The byte order of the vectors; nil before the first payload.
    private var order: CountingOrder?

    /// The header of the payloads that come now.
    public var header: NanoTDF.Header? { section?.opener.header }
    /// What its binding is.
    public var binding: NanoTDF.BindingCheck? { section?.binding }
    /// The policy of that header, as far as this reader can read it.
    public var policy: NanoTDF.OpenedPolicy? { section?.opener.policy(allowing: leniency) }
    /// Payloads so far, under all headers.
    public private(set) var payloadCount = 0
    /// Whether the last payload was empty. ``NanoTDFDatasetWriter`` ends datasets that way, other writers do not.
    public private(set) var isEnded = false

    /// Reads with the private key that the dataset was sealed to.
    public init(with privateKey: EllipticCurve.PrivateKey, allowing leniency: NanoTDF.Leniency = []) {
        key = .privateKey(privateKey)
        self.leniency = leniency
    }

    /// Reads with a payload key that a Key Access Service gave out. Payloads under other headers do not open.
    public init(payloadKey: SecretBytes, allowing leniency: NanoTDF.Leniency = []) {
        key = .payloadKey(payloadKey)
        self.leniency = leniency
    }

    /// Takes the next bytes and returns the plaintexts of the payloads that are whole now.
    public mutating func read(_ bytes: some Collection<UInt8>) throws(NanoTDFError) -> [[UInt8]] {
        buffer += bytes
        return try drain(isLast: false)
    }

    /// Call this when no bytes follow. Throws if there was no header, or half a payload.
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
                guard let plaintext = try section?.open(payload, &order, at: consumed + position) else {
                    return plaintexts
                }
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
    /// How a writer counts its payloads. The two orders begin with different vectors, so the first payload shows which
    /// one it is. If both were tried for each payload, payloads could be cut out unnoticed.
    private enum CountingOrder {
        /// From 1, as here and nearly everywhere.
        case bigEndian
        /// From 0, as Go's.
        case littleEndian

        /// The order whose first vector this is; nil if it is neither.
        init?(first vector: [UInt8]) {
            switch vector {
            case [0, 0, 1]: self = .bigEndian
            case [0, 0, 0]: self = .littleEndian
            default: return nil
            }
        }

        var first: Int { self == .bigEndian ? 1 : 0 }

        func number(of vector: [UInt8]) -> Int {
            let bytes = self == .bigEndian ? vector : vector.reversed()
            return bytes.reduce(0) { $0 << 8 | Int($1) }
        }
    }

    /// A header, and how many of its payloads were read.
    private struct Section {
        var opener: PayloadOpener
        let binding: NanoTDF.BindingCheck
        /// How many payloads of it were opened.
        private var count = 0

        init(
            _ header: NanoTDF.Header, with key: Key, _ leniency: NanoTDF.Leniency
        ) throws(NanoTDFError) {
            guard header.signatureCurve == nil else {
                throw NanoTDFError(.unsupported, "a signed NanoTDF has one payload, and is not a dataset")
            }
            opener =
                switch key {
                case .privateKey(let key): try PayloadOpener(header: header, privateKey: key)
                case .payloadKey(let key): try PayloadOpener(header: header, payloadKey: key)
                }
            binding = try opener.binding(allowing: leniency)
        }

        /// - Parameter order: of the whole dataset, found with its first payload.
        mutating func open(
            _ payload: NanoTDF.Payload, _ order: inout CountingOrder?, at offset: Int
        ) throws(NanoTDFError) -> [UInt8] {
            let counting = order ?? CountingOrder(first: payload.vector)
            guard let counting, payload.vector.count == NanoTDF.Payload.vectorByteCount,
                counting.number(of: payload.vector) == counting.first + count
            else {
                throw NanoTDFError(
                    .altered, "a payload is missing, doubled or out of order: its number is not the next", at: offset)
            }
            do {
                let plaintext = try opener.open(payload)
                (order, count) = (counting, count + 1)
                return plaintext
            } catch {
                throw NanoTDFError(error.code, error.message, at: offset)
            }
        }
    }
}

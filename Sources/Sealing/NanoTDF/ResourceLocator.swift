/// Where something is, as NanoTDF writes it: a protocol, the rest of the address, and perhaps the identifier of a key there.
///
/// On the wire: identifier kind and protocol (4 bits each), length of the body (1 byte), body, identifier.
public struct ResourceLocator: Hashable, Sendable {
    /// The protocol, with its code on the wire.
    public enum Transport: UInt8, Hashable, Sendable, CaseIterable {
        /// `http://`
        case http = 0
        /// `https://`
        case https = 1
        /// Unassigned in the specification; OpenTDFKit's.
        case webSocket = 2
        /// Unassigned in the specification; OpenTDFKit's.
        case secureWebSocket = 3
        /// The body names something in a directory that sender and reader share.
        case sharedResourceDirectory = 15

        /// The part before `://`.
        public var scheme: String {
            switch self {
            case .http: "http"
            case .https: "https"
            case .webSocket: "ws"
            case .secureWebSocket: "wss"
            case .sharedResourceDirectory: "srd"
            }
        }
    }

    /// The protocol.
    public let transport: Transport
    /// The address after `://`: 1 to 255 bytes, nearly always UTF-8.
    public let body: [UInt8]
    /// The identifier of a key: none, or 2, 8 or 32 bytes. Shorter ones are filled up with zeros.
    public let identifier: [UInt8]

    /// The lengths of identifiers. The code on the wire is the index in this list.
    static let identifierByteCounts = [0, 2, 8, 32]
    /// The lengths of ``body``: its length is one byte, and not 0.
    public static let bodyByteCounts = 1...255

    /// Makes a locator. Throws ``NanoTDFError/Code/limitExceeded`` if the body has not 1 to 255 bytes, or the
    /// identifier more than 32.
    public init(
        _ transport: Transport, body: some Collection<UInt8>, identifier: some Collection<UInt8> = []
    ) throws(NanoTDFError) {
        guard Self.bodyByteCounts.contains(body.count) else {
            throw NanoTDFError(.limitExceeded, "an address has 1 to 255 bytes after its scheme, this one \(body.count)")
        }
        guard let room = Self.identifierByteCounts.first(where: { $0 >= identifier.count }) else {
            throw NanoTDFError(.limitExceeded, "a key identifier has at most 32 bytes, this one \(identifier.count)")
        }
        self.transport = transport
        self.body = Array(body)
        self.identifier = identifier + [UInt8](repeating: 0, count: room - identifier.count)
    }

    /// Parses an address such as `https://kas.example.com/kas`.
    public init(url: String, identifier: String = "") throws(NanoTDFError) {
        guard let end = url.utf8.firstRange(of: "://".utf8),
            let transport = Transport.allCases.first(where: {
                $0.scheme.utf8.elementsEqual(url.utf8[..<end.lowerBound])
            })
        else {
            let schemes = Transport.allCases.map { $0.scheme + "://" }.joined(separator: ", ")
            throw NanoTDFError(.invalidField, "an address begins with one of \(schemes)")
        }
        try self.init(transport, body: url.utf8[end.upperBound...], identifier: identifier.utf8)
    }

    /// The address with its scheme. Bytes that are not UTF-8 become replacement characters.
    public var url: String { transport.scheme + "://" + String(decoding: body, as: UTF8.self) }

    /// The identifier without the zeros at its end, as text.
    public var identifierText: String? {
        let significant = identifier.prefix(1 + (identifier.lastIndex { $0 != 0 } ?? -1))
        return significant.isEmpty ? nil : String(decoding: significant, as: UTF8.self)
    }

    /// What stands on the wire.
    public var bytes: [UInt8] {
        let kind = UInt8(Self.identifierByteCounts.firstIndex(of: identifier.count) ?? 0)
        // `init` limits the body to 255 bytes.
        return [kind << 4 | transport.rawValue, UInt8(truncatingIfNeeded: body.count)] + body + identifier
    }
}

extension SessionDescription {
    /// The longest text that is read, in bytes.
    public static let largestText = 128 * 1024
    private static let mostSections = 64
    static let mostCandidates = 256

    /// Reads the text of a description. Never traps; throws ``PeerConnectionError`` with the line that is wrong.
    public init(kind: Kind, sdp: String) throws {
        guard sdp.utf8.count <= Self.largestText else { throw invalid("larger than \(Self.largestText) bytes") }
        var parser = SessionDescriptionParser()
        // Split on the unicode scalar view's newline byte: "\r\n" is one Character in Swift.
        var number = 0
        for raw in sdp.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            let bytes = raw.last == UInt8(ascii: "\r") ? raw.dropLast() : raw
            if bytes.isEmpty { continue }
            let line = Substring(bytes)
            do {
                try parser.read(line)
            } catch {
                throw PeerConnectionError(error.code, "\(error.message) (line \(number))")
            }
            guard parser.sections.count <= Self.mostSections else {
                throw invalid("more than \(Self.mostSections) media sections")
            }
        }
        self = try parser.finish(kind: kind)
    }
}

func invalid(_ why: String) -> PeerConnectionError { PeerConnectionError(.invalidDescription, "SDP: \(why)") }

/// Collects lines into sections; attributes of the session apply to every section that lacks its own.
struct SessionDescriptionParser {
    private var sawVersion = false
    private var origin: (id: UInt64, version: UInt64)?
    private var session = Attributes()
    private(set) var sections: [RawSection] = []

    struct RawSection {
        var media: String
        var port: UInt16
        var proto: String
        var formats: [String]
        var attributes = Attributes()
    }

    mutating func read(_ line: Substring) throws(PeerConnectionError) {
        let bytes = line.utf8
        guard bytes.count >= 2, bytes[bytes.index(after: bytes.startIndex)] == UInt8(ascii: "=") else {
            throw invalid("a line is not \"letter=value\"")
        }
        guard sawVersion || line == "v=0" else { throw invalid("does not begin with \"v=0\"") }
        let value = line[bytes.index(bytes.startIndex, offsetBy: 2)...]
        switch bytes.first {
        case UInt8(ascii: "v"):
            guard !sawVersion else { throw invalid("a second \"v=\"") }
            sawVersion = true
        case UInt8(ascii: "o"): try readOrigin(value)
        case UInt8(ascii: "m"): sections.append(try Self.readMedia(value))
        case UInt8(ascii: "a"):
            if sections.isEmpty {
                try session.read(value)
            } else {
                try sections[sections.count - 1].attributes.read(value)
            }
        default: break
        }
    }

    /// `username id version nettype addrtype address`
    private mutating func readOrigin(_ value: Substring) throws(PeerConnectionError) {
        let fields = value.split(separator: " ")
        guard origin == nil, sections.isEmpty, fields.count == 6, let id = UInt64(fields[1]),
            let version = UInt64(fields[2])
        else { throw invalid("o= is not \"name id version IN IP4 address\"") }
        origin = (id, version)
    }

    /// `media port proto format…`
    private static func readMedia(_ value: Substring) throws(PeerConnectionError) -> RawSection {
        let fields = value.split(separator: " ")
        guard fields.count >= 4, fields.count <= 260,
            let number = fields[1].split(separator: "/").first, let port = UInt16(number)
        else { throw invalid("m= is not \"media port protocol format\"") }
        return RawSection(
            media: String(fields[0]),
            port: port,
            proto: String(fields[2]),
            formats: fields[3...].map(String.init)
        )
    }

    consuming func finish(kind: SessionDescription.Kind) throws(PeerConnectionError) -> SessionDescription {
        guard sawVersion, let origin else { throw invalid("v= or o= is missing") }
        var found = false
        var result: [SessionDescription.MediaSection] = []
        for section in sections {
            let usable = section.carriesDataChannels && !found && (section.port != 0 || section.attributes.bundleOnly)
            if usable {
                found = true
                result.append(.dataChannels(try section.dataChannels(session: session, kind: kind)))
            } else {
                result.append(.other(section.other))
            }
        }
        return SessionDescription(kind: kind, sessionID: origin.id, sessionVersion: origin.version, sections: result)
    }
}

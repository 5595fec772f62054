/// The attributes that matter to data channels, of the session or of one media section.
struct Attributes {
    var mid: String?
    var iceUsernameFragment: String?
    var icePassword: String?
    var trickle: Bool?
    var iceLite = false
    var fingerprints: [Fingerprint] = []
    /// Whether there was any a=fingerprint line, of a known function or not.
    var announcesFingerprint = false
    var setup: SessionDescription.Setup?
    var sctpPort: UInt16?
    var usesSCTPMap = false
    var maxMessageSize: UInt64?
    var candidates: [ICECandidate] = []
    var endOfCandidates = false
    var bundleOnly = false

    /// Reads what follows `a=`. Unknown attributes are skipped (RFC 8866 section 5.13).
    mutating func read(_ text: Substring) throws(PeerConnectionError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first ?? ""
        let value = parts.count == 2 ? parts[1] : ""
        switch name {
        case "mid": mid = try Self.token(value, 1...64, "a=mid")
        case "ice-ufrag": iceUsernameFragment = try Self.token(value, 4...256, "a=ice-ufrag")
        case "ice-pwd": icePassword = try Self.token(value, 22...256, "a=ice-pwd")
        case "ice-options": trickle = value.split(separator: " ").contains("trickle")
        case "ice-lite": iceLite = true
        case "fingerprint": try readFingerprint(value)
        case "setup": try readSetup(value)
        case "candidate": try readCandidate(text)
        case "end-of-candidates": endOfCandidates = true
        case "bundle-only": bundleOnly = true
        case "sctp-port", "sctpmap", "max-message-size": try readSCTP(name, value)
        default: break
        }
    }

    private mutating func readFingerprint(_ value: Substring) throws(PeerConnectionError) {
        announcesFingerprint = true
        guard let fingerprint = try Fingerprint.parse(value) else { return }
        guard fingerprints.count < 16 else { throw invalid("more than 16 fingerprints") }
        fingerprints.append(fingerprint)
    }

    private mutating func readSetup(_ value: Substring) throws(PeerConnectionError) {
        guard let read = SessionDescription.Setup(rawValue: String(value)) else {
            throw invalid("a=setup is not active, passive or actpass")
        }
        setup = read
    }

    /// Unreadable candidates are skipped, because new kinds must not break a session (RFC 8839 section 5.1).
    private mutating func readCandidate(_ text: Substring) throws(PeerConnectionError) {
        guard candidates.count < SessionDescription.mostCandidates else {
            throw invalid("more than \(SessionDescription.mostCandidates) candidates")
        }
        if let candidate = try? ICECandidate(parsing: text) { candidates.append(candidate) }
    }

    private mutating func readSCTP(_ name: Substring, _ value: Substring) throws(PeerConnectionError) {
        switch name {
        case "sctp-port":
            guard let port = UInt16(value), port != 0 else { throw invalid("a=sctp-port") }
            sctpPort = port
        case "sctpmap":
            guard let field = value.split(separator: " ").first, let port = UInt16(field), port != 0 else {
                throw invalid("a=sctpmap")
            }
            usesSCTPMap = true
            sctpPort = port
        default:
            guard let size = UInt64(value) else { throw invalid("a=max-message-size") }
            maxMessageSize = size
        }
    }

    /// One word of printable ASCII within a range of lengths.
    private static func token(
        _ value: Substring,
        _ length: ClosedRange<Int>,
        _ name: String
    ) throws(PeerConnectionError) -> String {
        guard length.contains(value.utf8.count), value.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw invalid("\(name) is not one word of \(length.lowerBound) to \(length.upperBound) characters")
        }
        return String(value)
    }
}

extension SessionDescriptionParser.RawSection {
    var carriesDataChannels: Bool {
        guard media == "application" else { return false }
        switch proto.uppercased() {
        case "UDP/DTLS/SCTP", "TCP/DTLS/SCTP": return formats.first == "webrtc-datachannel"
        case "DTLS/SCTP": return true
        default: return false
        }
    }

    var other: SessionDescription.OtherSection {
        SessionDescription.OtherSection(media: media, proto: proto, formats: formats, mid: attributes.mid)
    }

    func dataChannels(
        session: Attributes,
        kind: SessionDescription.Kind
    ) throws(PeerConnectionError) -> SessionDescription.DataChannelSection {
        guard let fragment = attributes.iceUsernameFragment ?? session.iceUsernameFragment,
            let password = attributes.icePassword ?? session.icePassword
        else { throw invalid("a=ice-ufrag or a=ice-pwd is missing") }
        let fingerprints = attributes.announcesFingerprint ? attributes.fingerprints : session.fingerprints
        guard !fingerprints.isEmpty else {
            throw invalid("no a=fingerprint with sha-256, sha-384 or sha-512: the peer could not be recognised")
        }
        let setup = attributes.setup ?? session.setup ?? (kind == .offer ? .actpass : .active)
        guard kind == .offer || setup != .actpass else { throw invalid("an answer cannot say a=setup:actpass") }
        let mapped = proto.uppercased() == "DTLS/SCTP"
        let port = attributes.sctpPort ?? (mapped ? formats.first.flatMap { UInt16($0) } : nil) ?? 5000
        guard port != 0 else { throw invalid("the SCTP port is 0") }
        return SessionDescription.DataChannelSection(
            mid: attributes.mid ?? "0",
            iceUsernameFragment: fragment,
            icePassword: password,
            trickle: attributes.trickle ?? session.trickle ?? false,
            iceLite: session.iceLite || attributes.iceLite,
            fingerprints: fingerprints,
            setup: setup,
            sctpPort: port,
            maxMessageSize: attributes.maxMessageSize ?? 65536,
            candidates: attributes.candidates,
            endOfCandidates: attributes.endOfCandidates || session.endOfCandidates,
            usesSCTPMap: mapped
        )
    }
}

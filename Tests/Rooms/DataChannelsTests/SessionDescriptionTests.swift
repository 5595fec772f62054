import Testing

@testable import DataChannels

@Suite("Session descriptions")
struct SessionDescriptionTests {
    static let chrome = """
        v=0
        o=- 4611731400430051336 2 IN IP4 127.0.0.1
        s=-
        t=0 0
        a=group:BUNDLE 0
        a=extmap-allow-mixed
        a=msid-semantic: WMS
        m=application 9 UDP/DTLS/SCTP webrtc-datachannel
        c=IN IP4 0.0.0.0
        a=candidate:1467250027 1 udp 2122260223 192.168.0.196 46243 typ host generation 0 network-id 1
        a=ice-ufrag:F7gI
        a=ice-pwd:x9cml/YzichV2+XlhiMu8g7R
        a=ice-options:trickle
        a=fingerprint:sha-256 \(fingerprint)
        a=setup:actpass
        a=mid:0
        a=sctp-port:5000
        a=max-message-size:262144

        """
    static let fingerprint = (0..<32).map { _ in "4A" }.joined(separator: ":")

    @Test("reads what Chromium writes, with any line end", arguments: ["\n", "\r\n"])
    func chromium(lineEnd: String) throws {
        let text = Self.chrome.split(separator: "\n").joined(separator: lineEnd) + lineEnd
        let description = try SessionDescription(kind: .offer, sdp: text)
        let section = try #require(description.dataChannels)
        #expect(description.sessionID == 4_611_731_400_430_051_336)
        #expect(section.iceUsernameFragment == "F7gI")
        #expect(section.setup == .actpass)
        #expect(section.sctpPort == 5000)
        #expect(section.maxMessageSize == 262_144)
        #expect(section.candidates.first?.address == "192.168.0.196")
        #expect(section.trickle)
        #expect(section.fingerprints == [try Fingerprint(algorithm: .sha256, bytes: .init(repeating: 0x4A, count: 32))])
    }

    @Test("what is written reads back as the same value")
    func roundTrip() throws {
        var description = try SessionDescription(kind: .offer, sdp: Self.chrome)
        description.sections.insert(
            .other(.init(media: "audio", proto: "UDP/TLS/RTP/SAVPF", formats: ["111", "63"], mid: "a")), at: 0)
        description.dataChannels?.endOfCandidates = true
        description.dataChannels?.iceLite = true
        let again = try SessionDescription(kind: .offer, sdp: description.sdp)
        #expect(again == description)
        #expect(again.sdp == description.sdp)
    }

    @Test("the old form with a=sctpmap is read and written")
    func sctpMap() throws {
        let text = Self.chrome
            .replacing("UDP/DTLS/SCTP webrtc-datachannel", with: "DTLS/SCTP 5001")
            .replacing("a=sctp-port:5000", with: "a=sctpmap:5001 webrtc-datachannel 1024")
        let description = try SessionDescription(kind: .offer, sdp: text)
        #expect(description.dataChannels?.usesSCTPMap == true)
        #expect(description.dataChannels?.sctpPort == 5001)
        #expect(try SessionDescription(kind: .offer, sdp: description.sdp) == description)
    }

    @Test("sections of media are kept and refused in the answer")
    func otherSections() throws {
        let text = Self.chrome.replacing(
            "m=application", with: "m=audio 9 UDP/TLS/RTP/SAVPF 111\na=mid:au\nm=application")
        let offer = try SessionDescription(kind: .offer, sdp: text)
        #expect(offer.sections.count == 2)
        var negotiation = Negotiation()
        _ = try negotiation.applyRemote(offer)
        let answer = try negotiation.makeAnswer(configuration: .loopback())
        #expect(answer.sdp.contains("m=audio 0 UDP/TLS/RTP/SAVPF 111"))
        #expect(answer.dataChannelsIndex == 1)
        #expect(answer.dataChannels?.setup == .active)
    }

    @Test("attributes of the session apply to the section")
    func sessionLevel() throws {
        let lines = Self.chrome.split(separator: "\n")
        let moved = lines.filter {
            $0.hasPrefix("a=fingerprint") || $0.hasPrefix("a=ice-ufrag") || $0.hasPrefix("a=setup")
        }
        let rest = lines.filter { !moved.contains($0) }
        let text = (rest.prefix(4) + moved + rest.dropFirst(4)).joined(separator: "\n")
        let section = try #require(try SessionDescription(kind: .offer, sdp: text).dataChannels)
        #expect(section.fingerprints.count == 1)
        #expect(section.iceUsernameFragment == "F7gI")
    }

    static let hostile: [(String, String)] = [
        ("empty", ""),
        ("no version", chrome.replacing("v=0\n", with: "")),
        ("two versions", "v=0\n" + chrome),
        ("other version", chrome.replacing("v=0", with: "v=1")),
        ("no origin", chrome.replacing("o=-", with: "x=-")),
        ("origin without numbers", chrome.replacing("4611731400430051336", with: "abc")),
        ("origin over 64 bits", chrome.replacing("4611731400430051336", with: "99999999999999999999999")),
        ("a line without =", chrome + "nonsense\n"),
        ("media without formats", chrome.replacing(" UDP/DTLS/SCTP webrtc-datachannel", with: "")),
        ("media with a large port", chrome.replacing("m=application 9", with: "m=application 99999")),
        (
            "old form with port 0",
            chrome.replacing("UDP/DTLS/SCTP webrtc-datachannel", with: "DTLS/SCTP 00")
                .replacing("a=sctp-port:5000\n", with: "")
        ),
        ("no fragment", chrome.replacing("a=ice-ufrag:F7gI\n", with: "")),
        ("short password", chrome.replacing("x9cml/YzichV2+XlhiMu8g7R", with: "short")),
        ("password with a space", chrome.replacing("x9cml/Y", with: "x9 ml/Y")),
        ("no fingerprint", chrome.replacing("a=fingerprint", with: "a=fingerpaint")),
        ("weak fingerprint only", chrome.replacing("sha-256", with: "sha-1")),
        ("fingerprint too short", chrome.replacing("4A:4A:4A", with: "4A")),
        ("fingerprint not hex", chrome.replacing("4A:4A:4A", with: "4A:4A:GG")),
        ("fingerprint with signs", chrome.replacing("4A:4A:4A", with: "4A:4A:+A")),
        ("setup unknown", chrome.replacing("a=setup:actpass", with: "a=setup:holdconn")),
        ("port 0 of SCTP", chrome.replacing("a=sctp-port:5000", with: "a=sctp-port:0")),
        ("port of SCTP too large", chrome.replacing("a=sctp-port:5000", with: "a=sctp-port:65536")),
        ("negative size", chrome.replacing("262144", with: "-1")),
        ("size over 64 bits", chrome.replacing("262144", with: "99999999999999999999999")),
        ("mid with a space", chrome.replacing("a=mid:0", with: "a=mid:0 0")),
        ("too many candidates", chrome + String(repeating: "a=candidate:1 1 udp 1 1.1.1.1 1 typ host\n", count: 300)),
        ("too many sections", chrome + String(repeating: "m=audio 9 RTP 0\n", count: 100)),
        ("too large", chrome + String(repeating: "a=x:y\n", count: 30_000)),
    ]

    @Test("malformed descriptions are refused", arguments: hostile)
    func refused(name: String, text: String) {
        #expect(throws: PeerConnectionError.self, "\(name)") { try SessionDescription(kind: .offer, sdp: text) }
    }

    @Test("an answer cannot leave the roles open")
    func answerRoles() {
        #expect(throws: PeerConnectionError.self) { try SessionDescription(kind: .answer, sdp: Self.chrome) }
    }

    @Test("every text cut short, or with one byte changed, is read or refused")
    func mangled() {
        let bytes = Array(Self.chrome.utf8)
        var read = 0
        for count in bytes.indices {
            let text = String(decoding: bytes[..<count], as: UTF8.self)
            if (try? SessionDescription(kind: .offer, sdp: text)) != nil { read += 1 }
        }
        for index in bytes.indices {
            for byte in [0, 0x0A, 0x20, 0x3A, 0x3D, 0xFF] as [UInt8] {
                var mangled = bytes
                mangled[index] = byte
                let text = String(decoding: mangled, as: UTF8.self)
                if let description = try? SessionDescription(kind: .offer, sdp: text) {
                    read += 1
                    #expect((try? SessionDescription(kind: .offer, sdp: description.sdp)) == description)
                }
            }
        }
        #expect(read > 0)
    }
}

import Testing
import Wire

@testable import Rooms

struct EnvelopeTests {
    static let id = MessageID(bytes: Array(0..<16)) ?? other
    static let other = MessageID(bytes: Array(repeating: 0xab, count: 16)).unsafelyUnwrapped

    static let contents: [MessageContent] = [
        .text("hello"), .text("\u{1F98A} naïve\nsecond line"), .text(String(repeating: "x", count: 65_536)),
        .file(OfferedFile(name: "a.txt", bytes: 0, sha256: Array(repeating: 1, count: 32))),
        .file(
            OfferedFile(
                name: "voice.m4a", bytes: 12_345, sha256: Array(repeating: 2, count: 32),
                voice: VoiceNote(duration: 1500, waveform: Array(0..<120)))),
        .file(
            OfferedFile(
                name: "a.jpg", bytes: 12_345, sha256: Array(repeating: 3, count: 32),
                picture: PictureNote(width: 4000, height: 3000, thumbnail: [0xff, 0xd8, 0xff, 0xe0]))),
        .location(SharedLocation(latitude: 47.4979, longitude: -19.04, accuracy: 12.5, measuredAt: 1_700_000_000_000)),
        .location(SharedLocation(latitude: 0, longitude: 0, accuracy: nil, measuredAt: nil)),
        .lifetimeProposal(.keep), .lifetimeProposal(.ephemeral), .lifetimeProposal(.seconds(3600)),
        .lifetimeAnswer(proposal: other, accepted: true), .lifetimeAnswer(proposal: other, accepted: false),
        .withdrawn, .related(Relation(.answers, other), text: "yes"),
        .related(Relation(.reacts, other), text: "\u{1F44D}"),
        .related(Relation(.reactsNoMore, other), text: ""), .related(Relation(.deletes, other), text: ""),
        .related(Relation(.replaces, other, version: 3), text: "better"),
        .related(Relation(.followed, other), text: ""),
        .related(Relation(.kept, other), text: ""),
    ]

    @Test func `a reader that knows no relations shows the text that stands beside one`() throws {
        for (relation, text, shown) in [
            (Relation(.answers, Self.other), "yes", "yes"), (Relation(.replaces, Self.other, version: 1), "b", "b"),
            (Relation(.deletes, Self.other), "", "(I deleted a message. Please delete it, too.)"),
        ] {
            let message = Envelope.message(
                .init(id: Self.id, sequence: 1, sentAt: 2, content: .related(relation, text: text)))
            var reader = ProtobufReader(message.bytes)
            var texts: [String] = []
            while let field = try reader.next() {
                if field.number == EnvelopeField.text { texts.append(try field.string(atMost: 1000)) }
            }
            #expect(texts == [shown])
        }
    }

    @Test func `a relation of a kind that is not known leaves the text`() throws {
        let text = Envelope.message(.init(id: Self.id, sequence: 1, sentAt: 2, content: .text("as it is")))
        var relation = ProtobufWriter()
        relation.write(Self.other.bytes, 1)
        relation.write(99 as UInt64, 2)
        var writer = ProtobufWriter()
        writer.write(message: relation, EnvelopeField.relation)
        #expect(try Envelope(bytes: text.bytes + writer.bytes) == text)
    }

    @Test(arguments: contents)
    func `content survives the wire`(content: MessageContent) throws {
        let envelope = Envelope.message(.init(id: Self.id, sequence: 7, sentAt: 1_700_000_000_123, content: content))
        #expect(try Envelope(bytes: envelope.bytes) == envelope)
    }

    static let signals: [Envelope.Signal] = [
        .hello(received: 0, first: 1), .hello(received: 12, first: 40, notes: true),
        .hello(received: 1, first: 2, agents: true), .receipt(received: 9),
        .read([id, other]), .read([]), .typing(true), .typing(false), .fileAnswer(id, offset: nil),
        .fileAnswer(id, offset: 0), .fileAnswer(id, offset: 1 << 40), .fileChunk(id, offset: 65_536, [1, 2, 3]),
        .fileChecked(id, intact: true), .fileChecked(id, intact: false), .fileCancelled(id), .fileSettled(id),
        .filePaused(id),
        .goodbye(forever: true),
        .goodbye(forever: false),
    ]

    @Test(arguments: signals)
    func `signals survive the wire`(signal: Envelope.Signal) throws {
        #expect(try Envelope(bytes: Envelope.signal(signal).bytes) == .signal(signal))
    }

    @Test func `a kind of message that is not known is kept as unknown, so that it can be acknowledged`() throws {
        var writer = ProtobufWriter()
        writer.write(Self.id.bytes, 1)
        writer.write(3 as UInt64, 2)
        writer.write("from the future", 19)
        #expect(
            try Envelope(bytes: writer.bytes)
                == .message(.init(id: Self.id, sequence: 3, sentAt: 0, content: .unknown)))
        #expect(try Envelope(bytes: []) == .signal(.unknown))
    }

    @Test(
        arguments: [
            ([0xff, 0xd8, 0xff], true), (Array("<svg onload=…".utf8), false), (Array("RIFF....WEBPVP8 ".utf8), true),
            (Array("RIFF....AVI ".utf8), false), ([0x89, 0x50, 0x4e, 0x47], false), ([], false),
        ] as [([UInt8], Bool)])
    func `a thumbnail is a picture or is left out`(bytes: [UInt8], isKept: Bool) throws {
        let offer = OfferedFile(
            name: "a.jpg", bytes: 1, sha256: Array(repeating: 3, count: 32),
            picture: PictureNote(width: 1, height: 1, thumbnail: bytes))
        let sent = Envelope.message(.init(id: Self.id, sequence: 1, sentAt: 2, content: .file(offer)))
        guard case .message(let read) = try Envelope(bytes: sent.bytes), case .file(let file) = read.content else {
            Issue.record("it is no file")
            return
        }
        #expect(file.picture?.thumbnail == (isKept ? bytes : []))
    }

    @Test func `every truncation and every flipped bit gives an envelope or an error`() {
        for content in Self.contents where content != .text(String(repeating: "x", count: 65_536)) {
            let bytes = Envelope.message(.init(id: Self.id, sequence: 1, sentAt: 2, content: content)).bytes
            for count in 0..<bytes.count { _ = try? Envelope(bytes: Array(bytes.prefix(count))) }
            for position in bytes.indices {
                for bit in 0..<8 {
                    var flipped = bytes
                    flipped[position] ^= 1 << bit
                    _ = try? Envelope(bytes: flipped)
                }
            }
        }
    }

    /// Fields as protobuf: number 2 is the sequence, 1 the id, 10 a text, 11 a file.
    private static let hostile: [(name: String, bytes: [UInt8])] = [
        ("a number that would overflow", [0x10] + Array(repeating: 0xff, count: 9) + [0x01]),
        ("a message without an id", [0x10, 1]),
        ("an id that is too short", [0x0a, 3, 1, 2, 3]),
        ("a text that is too long", [0x52, 0x81, 0x80, 0x04] + Array(repeating: 0x78, count: 65_537)),
        ("a text that is not UTF-8", [0x52, 2, 0xff, 0xfe]),
        ("a file without a hash", [0x5a, 3, 0x0a, 1, 0x61]),
        ("a chunk without an id", [0xca, 0x01, 2, 0x10, 1]),
        ("a place beyond the pole", [0x62, 9, 0x09, 0, 0, 0, 0, 0, 0, 0x59, 0x40]),
    ]

    @Test(arguments: hostile)
    func `refuses what cannot be meant`(name: String, bytes: [UInt8]) {
        #expect(throws: WireError.self, "\(name)") { try Envelope(bytes: bytes) }
    }

    @Test func `an envelope that is too long is refused before it is read`() {
        #expect(throws: WireError.self) {
            try Envelope(bytes: [UInt8](repeating: 0, count: Envelope.Limit.envelope + 1))
        }
    }

    @Test(arguments: [
        ("report.pdf", "report.pdf"), ("/etc/passwd", "passwd"), ("..\\..\\evil.exe", "evil.exe"), ("..", "file"),
        ("", "file"), (".bashrc", "bashrc"), ("a\u{0}b\nc", "a_b_c"), ("evil\u{202E}gpj.exe", "evil_gpj.exe"),
        ("C:file", "C_file"), ("dots...", "dots"), ("dir/", "dir"), (" x ", "x"),
    ])
    func `names of files lose what could hurt`(name: String, safe: String) {
        #expect(FileName.safe(name) == safe)
    }

    @Test func `a long name is cut and keeps its extension`() {
        let safe = FileName.safe(String(repeating: "é", count: 300) + ".tar")
        #expect(safe.utf8.count <= 255)
        #expect(safe.hasSuffix("é.tar"))
    }

    @Test func `a message id reads back as it was written`() throws {
        #expect(try MessageID(Self.id.description) == Self.id)
        #expect(Self.id.description == "000102030405060708090a0b0c0d0e0f")
        for bad in ["", "00", String(repeating: "g", count: 32), String(repeating: "é", count: 16)] {
            #expect(throws: RoomsFailure.self) { try MessageID(bad) }
        }
    }
}

import Rooms

/// One envelope of each kind, with the text that `protoc` prints for its bytes.
struct EnvelopeSample: Sendable, CustomStringConvertible {
    let envelope: Envelope
    /// Protobuf's text format.
    let text: String

    var description: String { text.split(separator: "\n").last.map(String.init) ?? "empty" }

    static let all = messages + signals

    private static let idText = #"id: "\000\021\"3DUfw\210\231\252\273\314\335\356\377""#

    private static func message(_ content: MessageContent, _ text: String) -> EnvelopeSample? {
        guard let id = sampleID else { return nil }
        return EnvelopeSample(
            envelope: .message(.init(id: id, sequence: 300, sentAt: 1_700_000_000_000, content: content)),
            text: "\(idText)\nsequence: 300\nsent_at: 1700000000000\n\(text)")
    }

    private static func signal(_ signal: Envelope.Signal, _ text: String) -> EnvelopeSample {
        EnvelopeSample(envelope: .signal(signal), text: text)
    }

    private static let messages: [EnvelopeSample] = [
        message(.text("Grüße"), #"text: "Gr\303\274\303\237e""#),
        message(
            .file(OfferedFile(name: "cat.png", bytes: 70_000, sha256: [UInt8](repeating: 0x61, count: 32))),
            "file {\n  name: \"cat.png\"\n  bytes: 70000\n  sha256: \"\(String(repeating: "a", count: 32))\"\n}"),
        message(
            .file(
                OfferedFile(
                    name: "v", bytes: 1, sha256: [UInt8](repeating: 0x62, count: 32),
                    voice: VoiceNote(duration: 1500, waveform: [0x31, 0x32]))),
            """
            file {
              name: "v"
              bytes: 1
              sha256: "\(String(repeating: "b", count: 32))"
              voice {
                duration: 1500
                waveform: "12"
              }
            }
            """),
        message(
            .location(SharedLocation(latitude: 48.5, longitude: -11.25, accuracy: 12, measuredAt: 5)),
            "location {\n  latitude: 48.5\n  longitude: -11.25\n  accuracy: 12\n  measured_at: 5\n}"),
        message(
            .location(SharedLocation(latitude: 0, longitude: 0, accuracy: nil, measuredAt: nil)), "location {\n}"),
        message(.lifetimeProposal(.seconds(3600)), "lifetime_proposal {\n  seconds: 3600\n}"),
        message(.lifetimeProposal(.ephemeral), "lifetime_proposal {\n  ephemeral: true\n}"),
        message(.lifetimeProposal(.keep), "lifetime_proposal {\n}"),
        sampleID.flatMap {
            message(
                .lifetimeAnswer(proposal: $0, accepted: true),
                "lifetime_answer {\n  \(idText.replacing("id:", with: "proposal:"))\n  accepted: true\n}")
        },
        sampleID.flatMap {
            message(
                .related(Relation(.replaces, $0, version: 2), text: "better"),
                "text: \"better\"\nrelation {\n  \(idText.replacing("id:", with: "message:"))\n  kind: REPLACES\n  version: 2\n}"
            )
        },
        message(.withdrawn, "withdrawn {\n}"),
        message(.trust, "trust {\n}"),
    ].compactMap(\.self)

    private static let signals: [EnvelopeSample] = {
        guard let id = sampleID else { return [] }
        return [
            signal(.hello(received: 7, first: 9), "hello {\n  received: 7\n  first: 9\n}"),
            signal(.hello(received: 0, first: 1), "hello {\n  first: 1\n}"),
            signal(.hello(received: 0, first: 1, notes: true), "hello {\n  first: 1\n  notes: true\n}"),
            signal(.hello(received: 0, first: 1, agents: true), "hello {\n  first: 1\n  agents: true\n}"),
            signal(.receipt(received: 7), "receipt {\n  received: 7\n}"),
            signal(.read([id, id]), "read {\n  \(idText.plural)\n  \(idText.plural)\n}"),
            signal(.typing(true), "typing {\n  on: true\n}"),
            signal(.typing(false), "typing {\n}"),
            signal(.fileAnswer(id, offset: 65_536), "file_answer {\n  \(idText)\n  accepted: true\n  offset: 65536\n}"),
            signal(.fileAnswer(id, offset: 0), "file_answer {\n  \(idText)\n  accepted: true\n}"),
            signal(.fileAnswer(id, offset: nil), "file_answer {\n  \(idText)\n}"),
            signal(
                .fileChunk(id, offset: 4, [0x78, 0x79]), "file_chunk {\n  \(idText)\n  offset: 4\n  data: \"xy\"\n}"),
            signal(.fileChecked(id, intact: true), "file_checked {\n  \(idText)\n  intact: true\n}"),
            signal(.fileChecked(id, intact: false), "file_checked {\n  \(idText)\n}"),
            signal(.fileCancelled(id), "file_cancelled {\n  \(idText)\n}"),
            signal(.fileSettled(id), "file_settled {\n  \(idText)\n}"),
            signal(.filePaused(id), "file_paused {\n  \(idText)\n}"),
            signal(.sealing([0x78, 0x79]), "sealing: \"xy\""),
            signal(.goodbye(forever: true), "goodbye {\n  forever: true\n}"),
        ]
    }()
}

/// 00 11 22 … ff.
let sampleID = try? MessageID("00112233445566778899aabbccddeeff")

extension String {
    fileprivate var plural: String { replacing("id:", with: "ids:") }
}

internal import Errors
internal import Foundation

/// What an agent is asked.
package struct AgentPrompt: Sendable, Hashable, ExpressibleByStringLiteral {
    package var text: String
    package var pictures: [PromptPicture]
    /// The number that the turn has in its session. Only agents of other people need it: they know by it what they had before.
    package var turn: Int?

    package init(_ text: String, pictures: [PromptPicture] = [], turn: Int? = nil) {
        (self.text, self.pictures, self.turn) = (text, pictures, turn)
    }

    package init(stringLiteral text: String) { self.init(text) }

    /// Bytes of all of it.
    var bytes: Int { pictures.reduce(text.utf8.count) { $0 + $1.bytes.count } }

    /// - Throws: `tooLarge` above ``AgentLimits/promptBytes``, ``AgentLimits/pictures`` and ``AgentLimits/pictureBytes``.
    func check() throws(AgentError) {
        guard text.utf8.count <= AgentLimits.promptBytes else {
            throw AgentError(.tooLarge, "a prompt has at most \(AgentLimits.promptBytes) bytes")
        }
        guard pictures.count <= AgentLimits.pictures, bytes - text.utf8.count <= AgentLimits.pictureBytes else {
            throw AgentError(
                .tooLarge,
                "a prompt has at most \(AgentLimits.pictures) pictures, \(AgentLimits.pictureBytes) bytes together")
        }
    }
}

/// A picture that goes along with a prompt: what every model that sees can read.
package struct PromptPicture: Sendable, Hashable {
    /// `image/png`, `image/jpeg`, `image/gif` or `image/webp`.
    package let type: String
    package let bytes: [UInt8]

    /// Nil if the bytes begin as none of the four.
    package init?(_ bytes: [UInt8]) {
        guard let type = Self.type(of: bytes) else { return nil }
        (self.type, self.bytes) = (type, bytes)
    }

    /// From Base64; nil if that is none, or no picture.
    package init?(base64: String) {
        guard let data = Data(base64Encoded: base64) else { return nil }
        self.init(Array(data))
    }

    package var base64: String { Data(bytes).base64EncodedString() }

    private static func type(of bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if bytes.starts(with: Array("GIF87a".utf8)) || bytes.starts(with: Array("GIF89a".utf8)) { return "image/gif" }
        let isWebP = bytes.starts(with: Array("RIFF".utf8)) && bytes.dropFirst(8).starts(with: Array("WEBP".utf8))
        return isWebP ? "image/webp" : nil
    }
}

/// A part of what an agent tells of its session after it was started anew.
package enum AgentRetoldPart: Sendable, Hashable {
    /// What it was asked. Everything up to the next one is of this turn.
    case asked(AgentText)
    case said(AgentText)
    case thought(AgentText)
    case called(AgentToolCall)
}

/// Collects what an agent tells of its session: pieces become wholes, calls are merged by their ids. What is told last is kept if it is too much.
struct AgentRetelling: Sendable {
    private(set) var parts: [AgentRetoldPart] = []
    private var bytes = 0
    private var calls: [String: Int] = [:]

    /// Bytes, and parts, that are kept.
    static let (limit, most) = (2 << 20, 2000)

    /// Another prompt, also where nothing was said since the last one.
    mutating func begin(_ prompt: AgentText) { append(.asked(prompt), prompt.text.utf8.count) }

    mutating func take(_ event: AgentEvent) {
        switch event {
        case .userText(let text):
            add(text, AgentRetoldPart.asked) { if case .asked(let known) = $0 { known } else { nil } }
        case .text(let text): add(text, AgentRetoldPart.said) { if case .said(let known) = $0 { known } else { nil } }
        case .reasoning(let text):
            add(text, AgentRetoldPart.thought) { if case .thought(let known) = $0 { known } else { nil } }
        case .toolCall(let call), .toolCallChanged(let call):
            if let place = calls[call.id], case .called(let known) = parts[place] {
                let merged = known.with(call)
                parts[place] = .called(merged)
                bytes += merged.bytes - known.bytes
                makeRoom()
            } else {
                calls[call.id] = parts.count
                append(.called(call), 512 + call.bytes)
            }
        default: break
        }
    }

    private mutating func add(
        _ piece: AgentText, _ make: (AgentText) -> AgentRetoldPart, _ known: (AgentRetoldPart) -> AgentText?
    ) {
        guard let last = parts.last.flatMap(known), last.omitted == 0 else {
            return append(make(piece), piece.text.utf8.count)
        }
        parts[parts.count - 1] = make(AgentText(last.text + piece.text, omitted: piece.omitted))
        bytes += piece.text.utf8.count
        makeRoom()
    }

    private mutating func append(_ part: AgentRetoldPart, _ cost: Int) {
        parts.append(part)
        bytes += cost + 64
        makeRoom()
    }

    /// Whole turns go, the oldest first. Of one turn that is too long by itself its first half goes, and what was asked stays.
    private mutating func makeRoom() {
        guard bytes > Self.limit || parts.count > Self.most else { return }
        let half = parts.count / 2
        let asked = parts[..<half].last(where: \.isAsked)
        if let start = parts.indices.first(where: { $0 >= half && parts[$0].isAsked }) {
            parts.removeFirst(start)
        } else {
            parts.replaceSubrange(..<half, with: [asked].compactMap(\.self))
        }
        calls = [:]
        bytes = 0
        for (place, part) in parts.enumerated() {
            if case .called(let call) = part { calls[call.id] = place }
            bytes += part.cost
        }
    }
}

extension AgentRetoldPart {
    fileprivate var isAsked: Bool { if case .asked = self { true } else { false } }

    var cost: Int {
        switch self {
        case .asked(let text), .said(let text), .thought(let text): text.text.utf8.count + 64
        case .called(let call): 576 + call.bytes
        }
    }
}

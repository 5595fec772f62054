import AppCore
import Foundation

/// One line of a conversation on the terminal, or one JSON object of it with `--json`.
struct ChatLine: Encodable {
    enum Kind: String, Encodable {
        /// The join code to pass on.
        case code
        /// How the room or the connection stands.
        case status
        /// What the person should know or decide.
        case notice
        case sent, received, note
        /// What the person typed and what was refused, to be said again in another way.
        case unsent
    }

    var kind: Kind
    var text: String
    /// What became of it: "Delivered", a path, a size.
    var detail: String?
    /// The id of a message.
    var id: String?
    /// Bytes of a file.
    var bytes: Int64?
    /// Milliseconds of a voice message.
    var duration: Int64?
    /// Pixels of a picture.
    var width: Int?
    var height: Int?
    /// Where a received file is.
    var path: String?
    /// Until when a join code counts.
    var validUntil: ISOTime?
    /// Which thing of the screen it tells of.
    var node = ""
    /// Whether it says the same as before with another receipt or progress.
    var isProgress = false

    private enum CodingKeys: String, CodingKey {
        case kind, text, detail, id, bytes, duration, width, height, path, validUntil
    }

    func saysTheSame(as other: ChatLine) -> Bool { (kind, text, detail) == (other.kind, other.text, other.detail) }

    /// For a person. Every line of a text but the first is indented, so that none looks like a line of another kind.
    var plain: TerminalText {
        let sizes = [bytes?.formatted(.byteCount(style: .file, spellsOutZero: false)), extent].compactMap(\.self)
        let size = sizes.isEmpty ? "" : " (\(sizes.joined(separator: ", ")))"
        let text = TerminalText.text(text, margin: "  ") + "\(size)"
        let facts = [detail, path].compactMap(\.self).joined(separator: ": ")
        let suffix: TerminalText = facts.isEmpty ? "" : "  [\(facts)]"
        return switch kind {
        case .code: "* Pass on this code: \(text)\(suffix)"
        case .status, .note: "* \(text)\(suffix)"
        case .notice: "! \(text)\(suffix)"
        case .unsent: "! Not sent; you wrote: \(text)\(suffix)"
        case .sent: "> \(text)\(suffix)"
        case .received: "< \(text)\(suffix)"
        }
    }

    /// How long a voice message is, or how large a picture.
    private var extent: String? {
        if let duration {
            let seconds = max(1, (duration + 500) / 1000)
            return "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
        }
        guard let width, let height else { return nil }
        return "\(width)\u{D7}\(height)"
    }

    var json: String {
        (try? JSON.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}

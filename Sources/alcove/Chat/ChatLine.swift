import Foundation

/// One line of a conversation on the terminal, or one JSON object of it with `--json`.
struct ChatLine: Encodable, Equatable {
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
    /// Of a message.
    var id: String?

    /// For a person. Every line of a text but the first is indented, so that none looks like a line of another kind.
    var plain: TerminalText {
        let text = TerminalText.text(text, margin: "  ")
        let suffix: TerminalText = "\(detail.map { "  [\($0)]" } ?? "")"
        return switch kind {
        case .code: "* Pass on this code: \(text)\(suffix)"
        case .status, .note: "* \(text)\(suffix)"
        case .notice: "! \(text)\(suffix)"
        case .unsent: "! Not sent; you wrote: \(text)\(suffix)"
        case .sent: "> \(text)\(suffix)"
        case .received: "< \(text)\(suffix)"
        }
    }

    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}

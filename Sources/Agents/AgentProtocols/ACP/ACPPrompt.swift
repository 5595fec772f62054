internal import Foundation
package import Wire

/// What a client asks (`session/prompt`), as a text and the pictures beside it.
///
/// A link stands in the text as Markdown; it is never followed for being named. What came along stands behind the text, in a fence that
/// nothing in it can end.
package struct ACPPrompt: Sendable, Hashable {
    package private(set) var text = ""
    /// Base64, which nobody has looked at.
    package private(set) var pictures: [String] = []

    /// Throws `malformed` for what is taken neither as text nor as a picture: it would be missing without anybody's notice.
    package init(_ blocks: [JSONValue]) throws(AgentProtocolError) {
        var (attached, endsWithText) = ("", false)
        for block in blocks {
            guard let content = ACPContent(block) else {
                throw AgentProtocolError(.malformed, "a part of the prompt lacks what its kind must have")
            }
            let isText = if case .text = content.kind { true } else { false }
            // A link stands in the middle of a sentence; texts that follow each other are messages of their own.
            if isText, endsWithText { text += "\n\n" }
            endsWithText = isText
            switch content.kind {
            case .text(let words): text += words
            case .image(_, let base64): pictures.append(base64)
            case .link(let uri, let name): text += Self.link(name, uri)
            case .resource(let uri, let words?):
                text += Self.link(Self.name(of: uri), uri)
                attached += "\n\n\(uri)\n\(Self.fenced(words))"
            case .resource(_, nil): throw AgentProtocolError(.malformed, "an embedded resource has to be text")
            case .audio, .unknown: throw AgentProtocolError(.malformed, "a prompt takes text, pictures and links only")
            }
        }
        text += attached
    }

    private static func link(_ name: String, _ uri: String) -> String { "[\(name)](\(uri))" }

    private static func name(of uri: String) -> String {
        uri.split(separator: "/").last.map { $0.removingPercentEncoding ?? String($0) } ?? uri
    }

    /// The text as Markdown that is shown as it is: nothing in it ends the fence.
    package static func fenced(_ text: String) -> String {
        let longest = text.split { $0 != "`" }.map(\.count).max() ?? 0
        let fence = String(repeating: "`", count: max(3, longest + 1))
        return "\(fence)\n\(text)\(text.hasSuffix("\n") ? "" : "\n")\(fence)"
    }
}

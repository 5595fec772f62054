internal import Networking

/// A URL that may be handed to the system: of the web, or an address for mail.
public struct ExternalURL: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    /// Nil for every other scheme, and for what is no URL.
    public init?(_ text: String) {
        guard text.utf8.count <= WebURL.byteLimit else { return nil }
        if let url = try? WebURL(text) {
            guard url.scheme == "https" || url.scheme == "http" else { return nil }
            // The part of the page is not in the URL as it is asked for.
            let fragment = text.firstIndex(of: "#").map { text[$0...] } ?? ""
            guard fragment.utf8.allSatisfy(Self.isPlain) else { return nil }
            self.text = url.description + fragment
            return
        }
        guard text.lowercased().hasPrefix("mailto:"), text.utf8.allSatisfy(Self.isPlain) else { return nil }
        self.text = text
    }

    private static func isPlain(_ byte: UInt8) -> Bool { byte > 32 && byte < 127 && !"\"<>\\^`{|}".utf8.contains(byte) }

    public var description: String { text }
}

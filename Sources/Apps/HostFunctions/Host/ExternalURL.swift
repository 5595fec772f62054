internal import Networking

/// A URL that may be handed to the system: of the web, or an address for mail.
package struct ExternalURL: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    /// Nil for every other scheme, and for what is no URL.
    package init?(_ text: String) {
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

    /// Whether it leads to this computer or a network around it, as far as its text tells. A name that only its owner's server
    /// leads there is not noticed.
    package var isNearby: Bool {
        guard let host = (try? WebURL(text))?.host else { return false }
        if host.contains(":") { return !PublicAddress.contains(host) }
        let labels = host.split(separator: ".")
        // Whatever ends in a number is an address to browsers, in however few or strange numbers.
        if let last = labels.last, last.allSatisfy(\.isNumber) || last.hasPrefix("0x") {
            return !PublicAddress.contains(host)
        }
        return labels.count < 2 || ["localhost", "local", "internal", "lan", "arpa"].contains(labels.last)
    }

    private static func isPlain(_ byte: UInt8) -> Bool { byte > 32 && byte < 127 && !"\"<>\\^`{|}".utf8.contains(byte) }

    package var description: String { text }
}

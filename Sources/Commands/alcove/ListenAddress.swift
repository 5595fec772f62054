import Foundation

/// `HOST:PORT`, as servers take it.
struct ListenAddress {
    let host: String
    let port: Int

    init(_ text: String) throws(UsageError) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            0...65535 ~= port, colon != text.startIndex
        else { throw UsageError("--listen takes HOST:PORT, not \"\(text)\"") }
        let host = text[..<colon].trimmingCharacters(in: ["[", "]"])
        self.host = host == "localhost" ? "127.0.0.1" : host
        self.port = port
    }

    /// The address of a server that listens there.
    static func url(host: String, port: Int, isSecure: Bool) -> String {
        "\(isSecure ? "https" : "http")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}

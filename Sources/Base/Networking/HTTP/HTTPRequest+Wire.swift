extension HTTPRequest {
    /// A request from a received message; nil if its target is invalid.
    package init?(_ message: HTTPReader.Message) {
        self.init(message.head)
        body = message.body
    }

    /// A request whose body is still to come; nil if its target is invalid.
    init?(_ head: HTTPHead) {
        var target = Substring(head.second)
        if target.lowercased().hasPrefix("http://") || target.lowercased().hasPrefix("https://") {
            // The absolute form, as clients send it to proxies (RFC 9112 section 3.2.2).
            target = target.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" }
            if target.isEmpty { target = "/" }
        }
        guard target.hasPrefix("/") || target == "*" else { return nil }
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = parts.first.flatMap({ String(percentEncoded: $0, plusIsSpace: false) }) else { return nil }
        var query: [QueryItem] = []
        for item in parts.dropFirst().first?.split(separator: "&") ?? [] {
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = String(percentEncoded: pair[0], plusIsSpace: true),
                let value = String(percentEncoded: pair.count > 1 ? pair[1] : "", plusIsSpace: true)
            else { return nil }
            query.append(QueryItem(name, value))
        }
        self.init(method: head.first, path: path, query: query, headers: head.fields)
    }

    /// The request as a client sends it.
    package func serialized(host: String, pathPrefix: String) -> [UInt8] {
        let target = pathPrefix + target
        var head = "\(method) \(target.hasPrefix("/") ? target : "/" + target) HTTP/1.1\r\nhost: \(host)\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if headers["connection"] == nil { head += "connection: close\r\n" }
        if !body.isEmpty || ["POST", "PUT", "PATCH"].contains(method) { head += "content-length: \(body.count)\r\n" }
        return Array((head + "\r\n").utf8) + body
    }

    /// Path and query, percent-encoded (RFC 3986).
    private var target: String {
        if let verbatimTarget { return verbatimTarget }
        var target = (path.isEmpty || path.hasPrefix("/") ? path : "/" + path).percentEncoded(keeping: "/:@!$&'()*+,;=")
        for (index, item) in query.enumerated() {
            target += index == 0 ? "?" : "&"
            target += item.name.percentEncoded(keeping: "") + "=" + item.value.percentEncoded(keeping: "")
        }
        return target
    }
}

extension String {
    /// Encodes all bytes but RFC 3986's unreserved characters and those in `extra`.
    fileprivate func percentEncoded(keeping extra: String) -> String {
        let hex = Array("0123456789ABCDEF")
        var encoded = ""
        for byte in utf8 {
            switch byte {
            case 48...57, 65...90, 97...122: encoded.unicodeScalars.append(Unicode.Scalar(byte))
            case _ where "-._~".utf8.contains(byte) || extra.utf8.contains(byte):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default: encoded += "%\(hex[Int(byte >> 4)])\(hex[Int(byte & 15)])"
            }
        }
        return encoded
    }

    /// Nil if an escape is not one, or the bytes are not UTF-8.
    fileprivate init?(percentEncoded text: some StringProtocol, plusIsSpace: Bool) {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.popFirst(), let low = rest.popFirst(),
                    let high = Character(Unicode.Scalar(high)).hexDigitValue,
                    let low = Character(Unicode.Scalar(low)).hexDigitValue
                else { return nil }
                bytes.append(UInt8(high << 4 | low))
            } else {
                bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        self.init(validating: bytes, as: UTF8.self)
    }
}

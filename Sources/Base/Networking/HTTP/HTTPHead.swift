/// The start line and the fields of a message.
package struct HTTPHead: Equatable {
    /// The method of a request; the version of a response.
    let first: String
    /// The target of a request; the status of a response.
    let second: String
    let isVersion11: Bool
    let fields: HTTPFields

    /// Reads a head with the empty line that ends it.
    init(_ bytes: [UInt8], isRequest: Bool) throws(HTTPReadError) {
        var lines = bytes.split(separator: 10, omittingEmptySubsequences: true)[...]
        guard let start = lines.popFirst(), lines.count <= 101 else { throw .malformed }
        let parts = try Self.text(start).split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, !parts[0].isEmpty, !parts[1].isEmpty else { throw .malformed }
        first = String(parts[0])
        second = String(parts[1])
        guard let version = isRequest ? parts.dropFirst(2).first : parts.first else { throw .malformed }
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
            throw version.hasPrefix("HTTP/") ? .unsupported : .malformed
        }
        isVersion11 = version == "HTTP/1.1"
        var fields = HTTPFields()
        for line in Self.unfolded(lines, isRequest: isRequest) where line != [13] {
            let (name, value) = try Self.field(line)
            fields.append(name, value)
        }
        self.fields = fields
        if isRequest, !first.utf8.allSatisfy(Self.isTokenByte) { throw .malformed }
        if !isRequest, status == nil { throw .malformed }
    }

    /// The status of a response; nil for a request.
    package var status: Int? {
        guard first.hasPrefix("HTTP/"), second.utf8.count == 3, let status = Int(second) else { return nil }
        return (100...599).contains(status) ? status : nil
    }

    /// Whether the connection may carry another message after this one (RFC 9112 section 9.3).
    var keepsConnection: Bool { isVersion11 ? !has("close", in: "connection") : has("keep-alive", in: "connection") }

    /// Whether a field that is a list of words has this one.
    func has(_ word: String, in name: String) -> Bool {
        fields.values(name).contains { value in
            value.split(separator: ",").contains { $0.trimmed.lowercased() == word }
        }
    }

    var isChunked: Bool {
        get throws(HTTPReadError) {
            let codings = fields.values("transfer-encoding")
            guard !codings.isEmpty else { return false }
            guard codings.count == 1, codings[0].lowercased() == "chunked" else { throw .unsupported }
            // Requests with both a coding and a length can be smuggled past proxies (RFC 9112 section 6.1).
            guard fields["content-length"] == nil else { throw .malformed }
            return true
        }
    }

    var contentLength: Int? {
        get throws(HTTPReadError) {
            let values = fields.values("content-length")
            guard let first = values.first else { return nil }
            guard values.allSatisfy({ $0 == first }), !first.isEmpty, first.utf8.allSatisfy({ 48...57 ~= $0 }) else {
                throw .malformed
            }
            guard let length = Int(first) else { throw .bodyTooLarge }
            return length
        }
    }

    /// Some servers still write a field over several lines, which clients join with a space (RFC 9112 section 5.2).
    private static func unfolded(_ lines: ArraySlice<ArraySlice<UInt8>>, isRequest: Bool) -> [ArraySlice<UInt8>] {
        var fields: [ArraySlice<UInt8>] = []
        for line in lines {
            let isContinued = line.first == 32 || line.first == 9
            if !isRequest, isContinued, let last = fields.popLast(), last.last == 13 {
                fields.append(last.dropLast() + [32] + line.drop { $0 == 32 || $0 == 9 })
            } else {
                fields.append(line)
            }
        }
        return fields
    }

    private static func field(_ line: ArraySlice<UInt8>) throws(HTTPReadError) -> (name: String, value: String) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .malformed }
        let name = line[..<colon]
        guard !name.isEmpty, name.allSatisfy(isTokenByte) else { throw .malformed }
        let value = try text(line[(colon + 1)...])
        return (String(decoding: name, as: UTF8.self), String(Substring(value).trimmed))
    }

    /// A line without its CR. Control characters are refused.
    private static func text(_ line: ArraySlice<UInt8>) throws(HTTPReadError) -> String {
        guard line.last == 13 else { throw .malformed }
        let content = line.dropLast()
        guard content.allSatisfy({ $0 >= 32 && $0 != 127 || $0 == 9 }) else { throw .malformed }
        // Text that is not UTF-8 is read as Latin-1, as earlier versions of HTTP had it (RFC 9110 section 5.5).
        return String(validating: content, as: UTF8.self)
            ?? String(String.UnicodeScalarView(content.map { Unicode.Scalar($0) }))
    }

    /// RFC 9110 section 5.6.2.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}

extension Substring {
    /// Without spaces and tabs around it.
    fileprivate var trimmed: Substring {
        var rest = self
        while rest.first == " " || rest.first == "\t" { rest.removeFirst() }
        while rest.last == " " || rest.last == "\t" { rest.removeLast() }
        return rest
    }
}

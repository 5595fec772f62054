/// A resource as it is now, with what names its version: enough to answer conditional requests and requests for a part.
package struct HTTPRepresentation: Sendable {
    /// Bytes of the whole.
    package var size: Int
    /// Names this version.
    package var tag: EntityTag?
    /// When it changed last.
    package var modified: HTTPDate?
    /// Fields that go with the content: `content-type`, `cache-control`, …
    package var headers: HTTPFields

    package init(size: Int, tag: EntityTag? = nil, modified: HTTPDate? = nil, headers: HTTPFields = [:]) {
        (self.size, self.tag, self.modified, self.headers) = (size, tag, modified, headers)
    }

    /// The answer to `GET` and `HEAD`: 200 with all of it, 206 with a part, 304 if the client has this version, 412 if it
    /// wants another one, 416 if no byte is in its range, and 405 for another method.
    /// - Parameters:
    ///   - now: the time of the answer.
    ///   - content: makes the content of a part; the range is never empty unless the whole is.
    package func response(
        to request: HTTPRequest, now: HTTPDate, content: (Range<Int>) -> HTTPContent
    ) -> HTTPResponse {
        guard request.method == "GET" || request.method == "HEAD" else {
            return HTTPResponse(status: 405, headers: ["allow": "GET, HEAD"])
        }
        var headers = headers
        if let tag { headers["etag"] = tag.description }
        if let modified { headers["last-modified"] = min(modified, now).description }
        headers["accept-ranges"] = "bytes"
        switch precondition(of: request.headers) {
        case .failed: return HTTPResponse(status: 412, headers: headers.onlyValidators)
        case .notModified: return HTTPResponse(status: 304, headers: headers.onlyValidators)
        case .holds: break
        }
        // Ranges are for GET only (RFC 9110 section 14.2).
        let isRangeUsed = request.method == "GET" && mayUseRange(request.headers["if-range"], now)
        switch ByteRange(isRangeUsed ? request.headers["range"] : nil, size: size) {
        case .whole:
            return HTTPResponse(status: 200, headers: headers, content: content(0..<size))
        case .part(let range):
            headers["content-range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
            return HTTPResponse(status: 206, headers: headers, content: content(range))
        case .unsatisfiable:
            return HTTPResponse(status: 416, headers: ["content-range": "bytes */\(size)", "accept-ranges": "bytes"])
        }
    }

    private enum Precondition {
        case holds
        case failed
        case notModified
    }

    /// In the order of RFC 9110 section 13.2.2.
    private func precondition(of fields: HTTPFields) -> Precondition {
        if let list = joined("if-match", fields) {
            guard let (tags, isAny) = EntityTag.list(list) else { return .failed }
            if !isAny, !tags.contains(where: { tag?.isSame(as: $0) ?? false }) { return .failed }
        } else if let modified, let date = fields["if-unmodified-since"].flatMap(HTTPDate.init), modified > date {
            return .failed
        }
        if let list = joined("if-none-match", fields) {
            guard let (tags, isAny) = EntityTag.list(list) else { return .holds }
            // Compared weakly: the client only wants to spare the transfer.
            return isAny || tags.contains { $0.opaque == tag?.opaque } ? .notModified : .holds
        }
        if let modified, let date = fields["if-modified-since"].flatMap(HTTPDate.init), modified <= date {
            return .notModified
        }
        return .holds
    }

    private func joined(_ name: String, _ fields: HTTPFields) -> String? {
        let values = fields.values(name)
        return values.isEmpty ? nil : values.joined(separator: ",")
    }

    /// Whether the part that the client has is of this version (RFC 9110 section 13.1.5). A date tells versions apart only
    /// if the second that it names is over.
    private func mayUseRange(_ field: String?, _ now: HTTPDate) -> Bool {
        guard let field else { return true }
        if let list = EntityTag.list(field), list.tags.count == 1 { return tag?.isSame(as: list.tags[0]) ?? false }
        guard let modified, let date = HTTPDate(field) else { return false }
        return date == modified && modified < now
    }
}

extension HTTPFields {
    /// What a 304 carries of the fields of a 200 (RFC 9110 section 15.4.5).
    fileprivate var onlyValidators: HTTPFields {
        var kept = HTTPFields()
        for (name, value) in self
        where ["cache-control", "content-location", "date", "etag", "expires", "last-modified", "vary"].contains(name) {
            kept.append(name, value)
        }
        return kept
    }
}

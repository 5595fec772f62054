import Networking

/// Reads any bytes as the fields of a conditional request for a part, a line for each, and answers it. The first byte is the
/// size of the resource. The answer must be one of the protocol, and a part must lie in the resource.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHTTPRanges(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let size = bytes.first.map(Int.init) else { return 0 }
    var request = HTTPRequest(path: "/")
    let lines = bytes.dropFirst().split(separator: 10, omittingEmptySubsequences: false)
    for (name, line) in zip(names, lines) where !line.isEmpty {
        request.headers[name] = String(decoding: line, as: UTF8.self)
    }
    let representation = HTTPRepresentation(
        size: size, tag: EntityTag("a"), modified: HTTPDate(seconds: 784_111_777))
    let response = representation.response(to: request, now: HTTPDate(seconds: 784_111_778)) { range in
        precondition(range.lowerBound >= 0 && range.upperBound <= size, "a part is not in the resource")
        return HTTPContent(count: range.count) { _ in }
    }
    switch response.status {
    case 200: precondition(response.content?.count == size)
    case 206: precondition((response.content?.count ?? 0) > 0 && response.headers["content-range"] != nil)
    case 304, 412: precondition(response.content == nil)
    case 416: precondition(response.headers["content-range"] == "bytes */\(size)")
    default: preconditionFailure("status \(response.status)")
    }
    for line in lines { checkDate(String(decoding: line, as: UTF8.self)) }
    return 0
}

private let names = [
    "range", "if-range", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since",
]

private func checkDate(_ text: String) {
    guard let date = HTTPDate(text) else { return }
    precondition(HTTPDate(date.description) == date, "a date is not written as it is read")
}

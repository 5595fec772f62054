import Networking

/// Reads any bytes as requests or as the answer to one (the first byte decides), at once and in pieces: both must come
/// to the same. A request that is understood must, written again, mean the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHTTPMessages(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let choice = bytes.first else { return 0 }
    let kind: HTTPReader.Kind = choice & 1 == 0 ? .requests : .response(toHead: choice & 2 != 0)
    let whole = messages(kind, bytes.dropFirst(), pieces: count)
    let inPieces = messages(kind, bytes.dropFirst(), pieces: 1 + Int(choice >> 2))
    precondition(whole.0 == inPieces.0 && whole.1 == inPieces.1, "the messages depend on how the bytes are cut")
    if case .requests = kind { whole.0.forEach(checkRoundTrip) }
    return 0
}

private func messages(
    _ kind: HTTPReader.Kind, _ bytes: ArraySlice<UInt8>, pieces size: Int
) -> ([HTTPReader.Message], HTTPReadError?) {
    var reader = HTTPReader(kind, bodyLimit: 1000)
    var messages: [HTTPReader.Message] = []
    var rest = bytes
    do {
        while !rest.isEmpty {
            let piece = rest.prefix(size)
            rest = rest.dropFirst(size)
            piece.withUnsafeBytes { reader.append($0) }
            while let message = try reader.next() { messages.append(message) }
        }
        if let message = try reader.finish() { messages.append(message) }
        return (messages, nil)
    } catch {
        return (messages, error)
    }
}

private func checkRoundTrip(_ message: HTTPReader.Message) {
    guard var request = HTTPRequest(message), request.path.hasPrefix("/") else { return }
    request.headers = [:]
    guard !["CONNECT"].contains(request.method) else { return }
    var reader = HTTPReader(.requests, bodyLimit: 1000)
    request.serialized(host: "a", pathPrefix: "").withUnsafeBytes { reader.append($0) }
    guard let again = try? reader.next().flatMap({ HTTPRequest($0) }) else {
        preconditionFailure("a request cannot be written again")
    }
    precondition(again.method == request.method && again.path == request.path, "the target changed")
    precondition(again.query == request.query && again.body == request.body, "the query or the body changed")
}

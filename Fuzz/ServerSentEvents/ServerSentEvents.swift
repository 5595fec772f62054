import Networking

/// Reads any bytes as a stream of events, at once and in pieces: both must come to the same. The first byte is the size of
/// the pieces. Everything that is read stays within the limit.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzServerSentEvents(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let size = bytes.first.map({ 1 + Int($0) }) else { return 0 }
    let (whole, inPieces) = (read(bytes.dropFirst(), pieces: count), read(bytes.dropFirst(), pieces: size))
    precondition(whole.isTooLong == inPieces.isTooLong, "the limit depends on how the stream is cut")
    if !whole.isTooLong { precondition(whole.events == inPieces.events, "the events depend on how the stream is cut") }
    // A byte that is not UTF-8 becomes a character of three.
    for event in inPieces.events { precondition(event.data.utf8.count <= 3 * limit, "an event is too long") }
    return 0
}

private let limit = 200

private func read(_ bytes: ArraySlice<UInt8>, pieces size: Int) -> (events: [ServerSentEvent], isTooLong: Bool) {
    var reader = ServerSentEventReader(limit: limit)
    var events: [ServerSentEvent] = []
    var rest = bytes
    do {
        while !rest.isEmpty {
            events += try reader.read(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        return (events, false)
    } catch {
        return (events, true)
    }
}

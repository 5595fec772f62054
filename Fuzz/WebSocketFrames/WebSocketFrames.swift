import Networking

/// Reads any bytes as a WebSocket's frames, a client's or a server's (the first byte decides), at once and in pieces:
/// both must come to the same. A message that is understood must, written again, be read the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzWebSocketFrames(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let choice = bytes.first else { return 0 }
    let expectsMask = choice & 1 == 0
    let whole = inputs(bytes.dropFirst(), pieces: count, expectsMask)
    let inPieces = inputs(bytes.dropFirst(), pieces: 1 + Int(choice >> 1), expectsMask)
    precondition(whole.0 == inPieces.0 && whole.1 == inPieces.1, "the messages depend on how the bytes are cut")
    for case .message(let message) in whole.0 {
        let frame = WebSocketWriter.message(message, isMasked: expectsMask)
        let again = inputs(frame[...], pieces: 3, expectsMask)
        precondition(again.0 == [.message(message)] && again.1 == nil, "a message cannot be written again")
    }
    return 0
}

private func inputs(
    _ bytes: ArraySlice<UInt8>, pieces size: Int, _ expectsMask: Bool
) -> ([WebSocketReader.Input], WebSocketReader.Failure?) {
    var reader = WebSocketReader(expectsMask: expectsMask, limit: 1000)
    var inputs: [WebSocketReader.Input] = []
    var rest = bytes
    do {
        while !rest.isEmpty {
            let piece = rest.prefix(size)
            rest = rest.dropFirst(size)
            piece.withUnsafeBytes { reader.append($0) }
            while let input = try reader.next() { inputs.append(input) }
        }
        return (inputs, nil)
    } catch {
        return (inputs, error)
    }
}

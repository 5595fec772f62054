import Networking

/// Reads any bytes as messages, in pieces and part by part. Put together, the parts must be the messages that the reader finds
/// in all bytes at once, however the bytes are cut. The first byte chooses the kind and the size of the pieces.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHTTPParts(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let choice = bytes.first else { return 0 }
    let kind: HTTPReader.Kind = choice & 1 == 0 ? .requests : .response(toHead: choice & 2 != 0)
    let whole = wholeMessages(kind, bytes.dropFirst())
    let parted = partedMessages(kind, bytes.dropFirst(), pieces: 1 + Int(choice >> 2))
    precondition(whole.0 == parted.0 && whole.1 == parted.1, "the parts are not those of the messages")
    return 0
}

private struct Message: Equatable {
    let head: HTTPHead
    var body: [UInt8]

    init(_ head: HTTPHead, _ body: [UInt8]) { (self.head, self.body) = (head, body) }
}

private func wholeMessages(
    _ kind: HTTPReader.Kind, _ bytes: ArraySlice<UInt8>
) -> ([Message], HTTPReadError?) {
    var reader = HTTPReader(kind, bodyLimit: 1000)
    var messages: [Message] = []
    do {
        bytes.withUnsafeBytes { reader.append($0) }
        while let message = try reader.next() { messages.append(Message(message.head, message.body)) }
        if let message = try reader.finish() { messages.append(Message(message.head, message.body)) }
        return (messages, nil)
    } catch {
        return (messages, error)
    }
}

private func partedMessages(
    _ kind: HTTPReader.Kind, _ bytes: ArraySlice<UInt8>, pieces size: Int
) -> ([Message], HTTPReadError?) {
    var reader = HTTPReader(kind, bodyLimit: 1000)
    var messages: [Message] = []
    var current: Message?
    func take(_ part: HTTPReader.Part) {
        switch part {
        case .head(let head):
            precondition(current == nil, "a head before the end")
            current = Message(head, [])
        case .content(let piece):
            precondition(!piece.isEmpty, "an empty piece")
            current?.body += piece
        case .end:
            guard let message = current else { preconditionFailure("an end without a head") }
            messages.append(message)
            current = nil
        }
    }
    var rest = bytes
    do {
        while !rest.isEmpty {
            let piece = rest.prefix(size)
            rest = rest.dropFirst(size)
            piece.withUnsafeBytes { reader.append($0) }
            while let part = try reader.nextPart() { take(part) }
        }
        if let part = try reader.finishPart() { take(part) }
        return (messages, nil)
    } catch {
        return (messages, error)
    }
}

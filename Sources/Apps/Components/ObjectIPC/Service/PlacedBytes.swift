/// A reply whose field 1 is a `common.BytesValue` and its only one, as those of reading are, with bytes that were put behind the
/// head of their envelope in the first place. They are not copied on their way out.
public struct PlacedBytes: CallBody {
    /// An envelope with the reply, which begins at `start`.
    private let envelope: [UInt8]
    private let start: Int
    /// How many bytes there are.
    public let count: Int

    /// - Parameters:
    ///   - expected: how many bytes there probably are. If there are others, they are moved once.
    ///   - call: the call that is answered.
    ///   - read: adds the bytes to those that it gets.
    public init<Failure>(
        expecting expected: Int, inReplyTo call: ServiceCall, _ read: ([UInt8]) throws(Failure) -> [UInt8]
    ) throws(Failure) {
        var (head, start) = Self.head(expected, call.number)
        var envelope = try read(head)
        count = envelope.count - head.count
        if count != expected {
            let oldHead = head
            (head, start) = Self.head(count, call.number)
            envelope.replaceSubrange(..<oldHead.count, with: head)
        }
        self.envelope = envelope
        self.start = start
    }

    /// What stands before the bytes, and where the reply begins in it.
    private static func head(_ count: Int, _ number: UInt64) -> (bytes: [UInt8], start: Int) {
        // As a message of proto3 leaves out what is empty.
        let value = count == 0 ? 0 : Envelope.delimitedSize(count)
        var bytes = Envelope.head(.end, number: number, bodySize: Envelope.delimitedSize(value))
        let start = bytes.count
        Envelope.begin(0x0a, value, in: &bytes)
        if count > 0 { Envelope.begin(0x0a, count, in: &bytes) }
        return (bytes, start)
    }

    public var encodedSize: Int { envelope.count - start }

    public func append(to head: inout [UInt8]) {
        if head.elementsEqual(envelope[..<start]) { head = envelope } else { head += envelope[start...] }
    }
}

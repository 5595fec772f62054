internal import Cryptography
internal import Wire

/// Proves that messages between nodes come from a node: HMAC-SHA-256 over the channel and the messages, keyed by the
/// secret that the nodes share, in front of them. Without it whoever can publish in Redis could speak in a room.
///
/// What waits for the same node goes into one envelope, because a proof and a publish cost more than a message.
///
/// ```text
/// proof (32 bytes) | node | number (8 bytes) | for each message: count of words | words
/// ```
///
/// The node and each word are preceded by their length, a varint as is the count.
enum NodeEnvelope {
    static func seal(
        _ messages: [NodeMessage], from node: String, number: UInt64, channel: String, key: SecretBytes
    ) -> [UInt8] {
        var body = ByteWriter(reserving: 256 * messages.count)
        func write(_ word: String) {
            body.writeVarint(UInt64(word.utf8.count))
            body.writeBytes(word.utf8)
        }
        write(node)
        body.writeInteger(number)
        for message in messages {
            let words = message.words
            body.writeVarint(UInt64(words.count))
            for word in words { write(word) }
        }
        return proof(of: body.bytes[...], channel, key) + body.bytes
    }

    /// Nil if the proof is wrong. Messages of a kind that this version does not know are left out.
    static func open(_ bytes: [UInt8], channel: String, key: SecretBytes) -> (
        node: String, number: UInt64, messages: [NodeMessage]
    )? {
        let body = bytes.dropFirst(32)
        guard bytes.count > 32, ConstantTime.areEqual(Array(bytes.prefix(32)), proof(of: body, channel, key)) else {
            return nil
        }
        return try? read(ByteReader(body))
    }

    private static func read(_ bytes: ByteReader) throws(WireError) -> (
        node: String, number: UInt64, messages: [NodeMessage]
    ) {
        var reader = bytes
        func word() throws(WireError) -> String {
            String(decoding: try reader.readSlice(Int(clamping: try reader.readVarint())), as: UTF8.self)
        }
        let node = try word()
        let number: UInt64 = try reader.readInteger()
        var messages: [NodeMessage] = []
        while !reader.isAtEnd {
            var words: [String] = []
            for _ in 0..<(try reader.readVarint()) { words.append(try word()) }
            if let message = NodeMessage(words) { messages.append(message) }
        }
        return (node, number, messages)
    }

    private static func proof(of body: ArraySlice<UInt8>, _ channel: String, _ key: SecretBytes) -> [UInt8] {
        HMAC.code(Array(channel.utf8) + [0] + body, key: key)
    }
}

/// Takes each envelope once: a node numbers what it says on a channel, and only larger numbers than the last count.
struct SeenNumbers {
    /// The most senders that are remembered; a node has another id after each start.
    static let limit = 4096

    private var last: [String: UInt64] = [:]
    private var order: [String] = []

    /// False if this envelope, or a later one, was taken before.
    mutating func take(_ number: UInt64, from sender: String) -> Bool {
        if let seen = last[sender] {
            guard number > seen else { return false }
        } else {
            order.append(sender)
            if order.count > Self.limit { last[order.removeFirst()] = nil }
        }
        last[sender] = number
        return true
    }
}

internal import Cryptography
internal import Wire

/// Proves that a message between nodes comes from a node: HMAC-SHA-256 over the channel and the message, keyed by the
/// secret that the nodes share, in front of the message. Without it whoever can publish in Redis could speak in a room.
enum NodeEnvelope {
    static func seal(
        _ message: NodeMessage, from node: String, number: UInt64, channel: String, key: SecretBytes
    ) -> [UInt8] {
        let object: JSONObject = [
            "from": .string(node), "number": .string(String(number)), "message": .object(message.json),
        ]
        let body = Array(JSONValue.object(object).text.utf8)
        return proof(of: body, channel, key) + body
    }

    /// Nil if the proof is wrong.
    static func open(_ bytes: [UInt8], channel: String, key: SecretBytes) -> (
        node: String, number: UInt64, message: NodeMessage
    )? {
        let body = Array(bytes.dropFirst(32))
        guard bytes.count > 32, ConstantTime.areEqual(Array(bytes.prefix(32)), proof(of: body, channel, key)),
            let object = (try? JSONValue(body))?.object, let node = object["from"]?.string,
            let number = object["number"]?.string.flatMap({ UInt64($0) }),
            let message = object["message"]?.object.flatMap(NodeMessage.init)
        else { return nil }
        return (node, number, message)
    }

    private static func proof(of body: [UInt8], _ channel: String, _ key: SecretBytes) -> [UInt8] {
        HMAC.code(Array(channel.utf8) + [0] + body, key: key)
    }
}

/// Takes each message once: a node numbers what it says on a channel, and only larger numbers than the last count.
struct SeenNumbers {
    /// The most senders that are remembered; a node has another id after each start.
    static let limit = 4096

    private var last: [String: UInt64] = [:]
    private var order: [String] = []

    /// False if this message, or a later one, was taken before.
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

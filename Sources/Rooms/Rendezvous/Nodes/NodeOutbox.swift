/// Messages that wait to be published, in the order of their envelopes: what goes to one node goes together.
struct NodeOutbox {
    /// To one node, or to all.
    typealias Addressee = String?

    struct Envelope {
        let to: Addressee
        var messages: [NodeMessage]
        fileprivate var size: Int
    }

    /// The most messages of an envelope, and bytes of their texts: a longer one would keep others waiting.
    static let count = 64
    static let size = 256 * 1024

    private(set) var envelopes: [Envelope] = []
    /// The last envelope to each.
    private var last: [Addressee: Int] = [:]

    var isEmpty: Bool { envelopes.isEmpty }

    mutating func add(_ message: NodeMessage, to addressee: Addressee) {
        let size = if case .relayed(_, _, _, let text) = message { text.utf8.count } else { 0 }
        if let index = last[addressee], envelopes[index].messages.count < Self.count,
            envelopes[index].size + size <= Self.size
        {
            envelopes[index].messages.append(message)
            envelopes[index].size += size
        } else {
            last[addressee] = envelopes.count
            envelopes.append(Envelope(to: addressee, messages: [message], size: size))
        }
    }

    mutating func removeAll() { self = NodeOutbox() }
}

/// Numbers that nobody can guess, from the seed that the association was made with.
struct RandomNumbers {
    private let key: [UInt8]
    private var counter: UInt64 = 0
    private var words: [UInt32] = []

    init(seed: [UInt8]) { key = SHA256.authenticate(Array("sctp random numbers".utf8), key: seed) }

    mutating func next() -> UInt32 {
        if words.isEmpty {
            var message: [UInt8] = []
            message.put(counter)
            counter += 1
            let bytes = SHA256.authenticate(message, key: key)
            words = stride(from: 0, to: 32, by: 4).map { start in
                bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
            }
        }
        return words.removeLast()
    }

    /// A verification tag, which is never 0.
    mutating func nextTag() -> UInt32 {
        while true {
            let tag = next()
            if tag != 0 { return tag }
        }
    }
}

/// SHA-256 (FIPS 180-4) and HMAC with it (RFC 2104), for cookies and random numbers: a few hundred bytes in an
/// association's life, so that the state machine needs no library.
enum SHA256 {
    private static let constants: [UInt32] = [
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
    ]

    static func hash(_ message: [UInt8]) -> [UInt8] {
        var state: [UInt32] = [
            0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
        ]
        var padded = message
        padded.append(0x80)
        while padded.count % 64 != 56 { padded.append(0) }
        padded.put(UInt64(message.count) * 8)
        for start in stride(from: 0, to: padded.count, by: 64) { compress(padded[start..<start + 64], into: &state) }
        var digest: [UInt8] = []
        for word in state { digest.put(word) }
        return digest
    }

    private static func compress(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
        var words = [UInt32](repeating: 0, count: 64)
        for (index, byte) in block.enumerated() { words[index / 4] = words[index / 4] << 8 | UInt32(byte) }
        for index in 16..<64 {
            let first = words[index - 15]
            let second = words[index - 2]
            let low = rotated(first, 7) ^ rotated(first, 18) ^ first >> 3
            let high = rotated(second, 17) ^ rotated(second, 19) ^ second >> 10
            words[index] = words[index - 16] &+ low &+ words[index - 7] &+ high
        }
        var now = state
        for index in 0..<64 {
            let (a, e) = (now[0], now[4])
            let high = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
            let choice = (e & now[5]) ^ (~e & now[6])
            let first = now[7] &+ high &+ choice &+ constants[index] &+ words[index]
            let low = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
            let majority = (a & now[1]) ^ (a & now[2]) ^ (now[1] & now[2])
            now = [first &+ low &+ majority, a, now[1], now[2], now[3] &+ first, e, now[5], now[6]]
        }
        for index in state.indices { state[index] = state[index] &+ now[index] }
    }

    private static func rotated(_ value: UInt32, _ count: UInt32) -> UInt32 { value >> count | value << (32 - count) }

    static func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        let short = key.count > 64 ? hash(key) : key
        let block = short + [UInt8](repeating: 0, count: 64 - short.count)
        return hash(block.map { $0 ^ 0x5C } + hash(block.map { $0 ^ 0x36 } + message))
    }
}

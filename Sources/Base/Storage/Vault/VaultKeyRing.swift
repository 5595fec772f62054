internal import Cryptography

/// The keys of a vault, one of each generation: the newest one seals, and older ones open what they sealed.
///
/// An older key stays until everything that it sealed has been sealed anew, so that a crash loses nothing.
struct VaultKeyRing: Sendable {
    /// How many keys a vault holds. It has several only if its protection changes again before everything is sealed anew.
    static let limit = 16

    /// The number of the newest key.
    let generation: UInt32
    /// The newest first; each is one generation older than the one before it.
    private let keys: [SecretBytes]

    private init(generation: UInt32, keys: [SecretBytes]) {
        self.generation = generation
        self.keys = keys
    }

    /// The first key of a new vault.
    static func first() -> VaultKeyRing { VaultKeyRing(generation: 1, keys: [fresh()]) }

    /// Reads ``bytes``; nil if they are none.
    init?(_ bytes: SecretBytes, generation: UInt32) {
        let size = VaultHeader.keyByteCount
        let count = bytes.count / size
        guard (1...Self.limit).contains(count), bytes.count == count * size, UInt64(count) <= UInt64(generation) + 1
        else { return nil }
        let keys = (0..<count).compactMap { try? bytes.slice($0 * size..<($0 + 1) * size) }
        guard keys.count == count else { return nil }
        self.init(generation: generation, keys: keys)
    }

    /// All keys, the newest first.
    var bytes: SecretBytes { SecretBytes(joining: keys) }

    var count: Int { keys.count }

    var isFull: Bool { count == Self.limit }

    /// The key of a generation; nil if it was dropped, or does not exist yet.
    func key(of generation: UInt32) -> SecretBytes? {
        guard generation <= self.generation, self.generation - generation < UInt32(keys.count) else { return nil }
        return keys[Int(self.generation - generation)]
    }

    /// The same keys with a fresh one in front.
    func renewed() throws(VaultError) -> VaultKeyRing {
        guard !isFull, generation < .max else {
            throw VaultError(
                .tooManyKeys, "the passphrase was changed too often in one run; start again, then change it")
        }
        return VaultKeyRing(generation: generation + 1, keys: [Self.fresh()] + keys)
    }

    /// The keys of this generation and later ones; the newest key in any case.
    func since(_ first: UInt32) -> VaultKeyRing {
        let later = generation > first ? Int(generation - first) : 0
        return VaultKeyRing(generation: generation, keys: Array(keys.prefix(later + 1)))
    }

    private static func fresh() -> SecretBytes { .random(count: VaultHeader.keyByteCount) }
}

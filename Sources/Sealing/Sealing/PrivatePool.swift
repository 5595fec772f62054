internal import Cryptography
internal import Storage

/// The keys of one epoch that the other side seals to, with their private halves in a file of slots.
struct PrivatePool: Sendable {
    let pairing: String
    let epoch: UInt32
    let capacity: Int
    let notAfter: Int64
    /// On how many days the profile had been used when the epoch began.
    let began: Int64
    /// Seals the slots.
    let key: SecretBytes
    let lastResort: EllipticCurve.PrivateKey
    let slots: SlotFile
    /// How many keys exist, counted from the first.
    var made: Int
    /// The copy of the other side's profile that gets the keys.
    var reader: UInt64
    /// One more than the highest index that is known to be used.
    var usedEnd = 0

    var isComplete: Bool { made == capacity }
    /// How many keys the other side can still use, at most.
    var remaining: Int { max(0, made - usedEnd) }

    /// Whether the epoch has expired, including the time that messages may need to arrive.
    func isOver(at time: SealingClock) -> Bool { time.isOver(notAfter, began: began) }

    /// The private key of a slot; nil if it is erased. Throws `unknownKey` if the slot is damaged.
    func privateKey(_ index: Int) throws -> SecretBytes? {
        let slot = try slots.read(index)
        guard slot != SlotFile.empty else { return nil }
        do {
            return try AESGCM.openSecret(slot.prefix(Self.sealedByteCount), key: key, context: context(index))
        } catch { throw SealingError(.unknownKey, "the key of the message is damaged") }
    }

    /// Appends fresh keys. They are on the disk when this returns.
    func write(_ keys: [EllipticCurve.PrivateKey]) throws {
        var bytes = [UInt8](repeating: 0, count: keys.count * SlotFile.slotByteCount)
        for (offset, fresh) in keys.enumerated() {
            let sealed = try AESGCM.seal(fresh.scalar, key: key, context: context(made + offset))
            let start = offset * SlotFile.slotByteCount
            bytes.replaceSubrange(start..<start + Self.sealedByteCount, with: sealed)
        }
        try slots.write(bytes, at: made)
        try slots.synchronize()
    }

    /// The public keys of a range, computed anew; nil if one of them is erased or damaged.
    func publicKeys(_ range: Range<Int>) -> [UInt8]? {
        var keys: [UInt8] = []
        for index in range {
            guard let scalar = try? privateKey(index),
                let key = try? EllipticCurve.PrivateKey(.p256, scalar: scalar)
            else { return nil }
            keys += key.publicKey.uncompressed
        }
        return keys
    }

    /// Nonce, scalar, tag.
    private static let sealedByteCount = AESGCM.overhead + 32

    /// A slot can be opened only in its own file and place.
    private func context(_ index: Int) -> [UInt8] {
        slots.identifier + withUnsafeBytes(of: UInt64(index).bigEndian) { Array($0) }
    }
}

extension PrivatePool {
    /// Begins an epoch. The row is written first: a crash before the file exists leaves an epoch without keys.
    static func begin(
        pairing: String, epoch: UInt32, capacity: Int, reader: UInt64, time: SealingClock, store: some SealingStore
    ) throws -> PrivatePool {
        let key = SecretBytes.random(count: 32)
        let lastResort = try EllipticCurve.PrivateKey(.p256)
        let secrets = try store.wrap(
            SecretBytes(joining: [key, lastResort.scalar]), context: context(pairing: pairing, epoch: epoch))
        let digits = SecureRandom.bytes(16).flatMap { [$0 >> 4, $0 & 15] }.map { String($0, radix: 16) }
        let file = digits.joined() + ".keys"
        let notAfter = time.latest + SealingLimits.lifetime
        try store.write(durably: true) { database in
            try database.execute(
                """
                INSERT INTO sealing_pools (bond, epoch, capacity, made, not_after, file, secrets, began, reader)
                VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?)
                """, pairing, Int64(epoch), capacity, notAfter, file, secrets, time.days, Int64(bitPattern: reader))
        }
        let slots: SlotFile
        do {
            slots = try SlotFile.create(at: store.path(of: file), count: capacity)
        } catch {
            try store.write(durably: true) { try SealingTables.delete(epoch: epoch, of: pairing, in: $0) }
            throw error
        }
        return PrivatePool(
            pairing: pairing, epoch: epoch, capacity: capacity, notAfter: notAfter, began: time.days, key: key,
            lastResort: lastResort, slots: slots, made: 0, reader: reader)
    }

    /// The epochs of a pairing, oldest first. An epoch whose file is missing or damaged ends, because its keys are
    /// lost.
    static func load(pairing: String, store: some SealingStore) throws -> [PrivatePool] {
        let rows = try store.read { database in
            try database.query(
                """
                SELECT epoch, capacity, made, not_after, file, secrets, began, reader FROM sealing_pools WHERE bond = ?
                ORDER BY epoch
                """, pairing
            ) { row in
                (
                    epoch: UInt32(truncatingIfNeeded: try row[0] as Int), capacity: try row[1] as Int,
                    made: try row[2] as Int, notAfter: try row[3] as Int64, file: try row[4] as String,
                    secrets: try row[5] as [UInt8], began: try row[6] as Int64,
                    reader: UInt64(bitPattern: try row[7] as Int64)
                )
            }
        }
        return try rows.compactMap { row in
            let secrets = try store.unwrapSecret(row.secrets, context: context(pairing: pairing, epoch: row.epoch))
            guard let slots = try openSlots(at: store.path(of: row.file), count: row.capacity) else {
                try store.write(durably: true) { database in
                    try SealingTables.delete(epoch: row.epoch, of: pairing, in: database)
                }
                return nil
            }
            return PrivatePool(
                pairing: pairing, epoch: row.epoch, capacity: row.capacity, notAfter: row.notAfter,
                began: row.began, key: try secrets.slice(0..<32),
                lastResort: try EllipticCurve.PrivateKey(.p256, scalar: secrets.slice(32..<64)), slots: slots,
                made: row.made, reader: row.reader,
                usedEnd: try store.read { try UsedKeys.summary(pairing: pairing, epoch: row.epoch, in: $0).end })
        }
    }

    /// Nil if the file is gone or damaged. Other failures may be temporary, so they throw and the keys stay.
    private static func openSlots(at path: String, count: Int) throws(FileError) -> SlotFile? {
        let slots: SlotFile
        do {
            slots = try SlotFile(at: path)
        } catch {
            guard error.code == .missing || error.code == .damaged else { throw error }
            return nil
        }
        slots.close()
        return slots.count == count ? slots : nil
    }

    private static func context(pairing: String, epoch: UInt32) -> String { "sealing/pool/\(pairing)/\(epoch)" }
}

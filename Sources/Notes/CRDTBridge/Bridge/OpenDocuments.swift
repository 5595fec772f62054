/// Which documents the engine holds, and which of them were used last.
struct OpenDocuments {
    private struct Entry {
        let handle: Int
        var weight: Int
        var lastUse: UInt64
    }

    private var entries: [String: Entry] = [:]
    private var uses: UInt64 = 0
    /// Bytes of updates that all of them were made from.
    private(set) var weight = 0

    var count: Int { entries.count }

    /// Looks at all of them: there are a few hundred at most.
    var leastRecentlyUsed: String? { entries.min { $0.value.lastUse < $1.value.lastUse }?.key }

    func contains(_ id: String) -> Bool { entries[id] != nil }

    mutating func add(_ id: String, handle: Int, weight: Int) {
        uses += 1
        entries[id] = Entry(handle: handle, weight: weight, lastUse: uses)
        self.weight += weight
    }

    /// The engine's handle of a document that is used now.
    mutating func use(_ id: String) -> Int? {
        uses += 1
        entries[id]?.lastUse = uses
        return entries[id]?.handle
    }

    mutating func grow(_ id: String, by bytes: Int) {
        guard entries[id] != nil else { return }
        entries[id]?.weight += bytes
        weight += bytes
    }

    mutating func remove(_ id: String) -> Int? {
        guard let entry = entries.removeValue(forKey: id) else { return nil }
        weight -= entry.weight
        return entry.handle
    }
}

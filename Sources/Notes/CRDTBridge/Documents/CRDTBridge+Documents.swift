internal import ScriptEngine
internal import Wire

/// What an update changed in a document.
public struct CRDTChanges: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The text of a note.
    public static let content = Self(rawValue: 1)
    /// Fields of the metadata, such as the folder or whether the note is deleted.
    public static let metadata = Self(rawValue: 2)
    /// Comment threads, replies or reactions.
    public static let comments = Self(rawValue: 4)
    /// The folder tree.
    public static let folders = Self(rawValue: 8)
    /// Only what does not show: it has to wait for other updates, or is nowhere that we look.
    public static let hidden = Self(rawValue: 16)
}

extension CRDTBridge {
    /// Opens a document that is made from these updates, in place of what was open under this id.
    ///
    /// All are merged before they are applied. When that fails, those that cannot be part of the document are left out.
    ///
    /// - Returns: the indices of the updates that were left out, in order.
    @discardableResult
    public func load(_ id: String, _ updates: [[UInt8]]) throws(CRDTError) -> [Int] {
        try checkUsable(id)
        var sound: [Int] = []
        for (index, update) in updates.enumerated() where (try? check(update)) != nil { sound.append(index) }
        let packed = UpdatePack(sound.lazy.map { updates[$0] })
        let answer = try guarded(id) { () throws(ScriptError) in
            try count(bytes: packed.size)
            let answer = try scripts.call(.load, [packed])
            return (try answer.element(0).integer, try answer.integers(from: 1))
        }
        opened(id, handle: answer.0, weight: packed.size)
        let refused = Set(answer.1.map { sound[$0] }).union(Set(updates.indices).subtracting(sound))
        return refused.sorted()
    }

    /// Applies an update. One that cannot be applied is an error, and the document stays as it was. One that other updates
    /// have to come before waits in the document for these, see ``isMissingUpdates(_:)``.
    ///
    /// - Returns: what changed; nothing if the document had all of it.
    @discardableResult
    public func apply(_ update: [UInt8], to id: String) throws(CRDTError) -> CRDTChanges {
        try check(update)
        try checkUsable(id)
        try guarded(id) { () throws(ScriptError) in try count(bytes: update.count) }
        let bits = try call(.apply, on: id, update)
        let changes = CRDTChanges(rawValue: try guarded(id) { () throws(ScriptError) in try bits.integer })
        if !changes.isEmpty { documents.grow(id, by: update.count) }
        return changes
    }

    /// Whether the document holds back updates because others that come before them are not here yet.
    public func isMissingUpdates(_ id: String) throws(CRDTError) -> Bool {
        let isMissing = try call(.isMissingUpdates, on: id)
        return try guarded(id) { () throws(ScriptError) in try isMissing.bool }
    }

    /// The whole document as one update, with what it holds back.
    public func state(of id: String) throws(CRDTError) -> [UInt8] { try bytes(.state, of: id) }

    /// How far each client's operations are here, for ``difference(of:since:)``.
    public func stateVector(of id: String) throws(CRDTError) -> [UInt8] { try bytes(.stateVector, of: id) }

    /// What the document has and the holder of a state vector does not.
    public func difference(of id: String, since vector: [UInt8]) throws(CRDTError) -> [UInt8] {
        guard Self.isStateVector(vector) else { throw CRDTError(.damagedUpdate, "\(id): not a state vector") }
        let answer = try call(.difference, on: id, vector)
        return try guarded(id) { () throws(ScriptError) in try answer.bytes }
    }

    /// Several updates as one, in any order; there need not be a document.
    public func merge(_ updates: [[UInt8]]) throws(CRDTError) -> [UInt8] {
        for update in updates { try check(update) }
        let answer = try call(.merge, UpdatePack(updates))
        return try guarded(Self.loose) { () throws(ScriptError) in try answer.bytes }
    }

    /// The clients whose operations are in an update. A client is one session of one writer.
    public nonisolated static func clients(in update: [UInt8]) throws(CRDTError) -> Set<UInt64> {
        do throws(WireError) {
            return try UpdateScan(update).clients
        } catch {
            throw CRDTError(.damagedUpdate, error.description)
        }
    }

    // What the other parts use.

    func check(_ update: [UInt8]) throws(CRDTError) {
        guard update.count <= limits.updateSize else {
            throw CRDTError(.tooLarge, "an update has \(update.count) bytes; the limit is \(limits.updateSize)")
        }
        _ = try Self.clients(in: update)
    }

    /// Takes for an answer of the clock what ``CRDTLimits/timePerByte`` says.
    private func count(bytes: Int) throws(ScriptError) {
        guard let each = limits.timePerByte, each * bytes > limits.executionTime else { return }
        throw ScriptError(.timeout, "\(bytes) bytes count for longer than \(limits.executionTime)")
    }

    private func bytes(_ function: Scripts.Function, of id: String) throws(CRDTError) -> [UInt8] {
        let answer = try call(function, on: id)
        return try guarded(id) { () throws(ScriptError) in try answer.bytes }
    }

    /// The update of a change, nil if nothing changed.
    func update(_ answer: ScriptValue, of id: String) throws(CRDTError) -> [UInt8]? {
        let bytes = try guarded(id) { () throws(ScriptError) in try answer.bytes }
        documents.grow(id, by: bytes.count)
        return bytes.isEmpty ? nil : bytes
    }

    /// The value of a JSON text that a script gave.
    func json(_ answer: ScriptValue, of id: String) throws(CRDTError) -> JSONCursor {
        JSONCursor(try guarded(id) { () throws(ScriptError) in try answer.string })
    }

    private static func isStateVector(_ bytes: [UInt8]) -> Bool {
        var reader = ByteReader(bytes)
        guard let count = try? reader.readVarint(), count <= reader.remaining else { return false }
        return (0..<2 * count).allSatisfy { _ in ((try? reader.readVarint()) ?? .max) < 1 << 53 }
    }
}

extension ScriptValue {
    fileprivate func integers(from start: Int) throws(ScriptError) -> [Int] {
        var integers: [Int] = []
        for index in start..<max(start, try property("length").integer) { integers.append(try element(index).integer) }
        return integers
    }
}

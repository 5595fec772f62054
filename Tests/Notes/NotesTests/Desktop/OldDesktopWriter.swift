import Foundation

/// Makes a storage directory of the first generation: updates, packs and snapshots in files of their own.
struct OldDesktopWriter {
    let root: URL
    let instance = "550e8400-e29b-41d4-a716-446655440000"
    /// Whether every file begins with the byte that says that it is whole.
    let hasFlags: Bool
    private var clock: Int64 = 1_763_000_000_000

    init(_ root: URL, hasFlags: Bool) throws {
        self.root = root
        self.hasFlags = hasFlags
        for folder in ["notes", "activity", "media", "folders/updates", "folders/meta"] { try make(folder) }
        try Data("550e8400-e29b-41d4-a716-446655440001".utf8).write(to: root.appending(path: "SD_ID"))
        if hasFlags { try Data("1\n".utf8).write(to: root.appending(path: "SD_VERSION")) }
    }

    /// Spreads updates over a snapshot (the first third), a pack (the second) and files of one update (the rest).
    mutating func write(_ updates: [[UInt8]], state: [UInt8], covering covered: Int, of note: String) throws {
        for folder in ["updates", "packs", "snapshots", "meta"] { try make("notes/\(note)/\(folder)") }
        let numbers = { (bytes: [UInt8]) in "[" + bytes.map(String.init).joined(separator: ",") + "]" }
        let packed = covered..<(covered + (updates.count - covered) / 2)
        try put(
            """
            {"version":1,"noteId":"\(note)","timestamp":\(clock),"totalChanges":\(covered),\
            "documentState":\(numbers(state)),"maxSequences":{"\(instance)":\(covered - 1)}}
            """, "notes/\(note)/snapshots/snapshot_\(covered)_\(instance).yjson")
        let entries = packed.map { "{\"seq\":\($0),\"timestamp\":\(clock),\"data\":\(numbers(updates[$0]))}" }
        try put(
            """
            {"version":1,"instanceId":"\(instance)","noteId":"\(note)",\
            "sequenceRange":[\(packed.lowerBound),\(packed.upperBound - 1)],"updates":[\(entries.joined(separator: ","))]}
            """, "notes/\(note)/packs/\(instance)_pack_\(packed.lowerBound)-\(packed.upperBound - 1).yjson")
        for sequence in packed.upperBound..<updates.count {
            clock += 5
            let name = "\(instance)_\(note)_\(clock)-\(sequence).yjson"
            try put(Data(updates[sequence]), "notes/\(note)/updates/\(name)")
        }
    }

    /// An update that is still being written.
    mutating func writeUnready(_ update: [UInt8], of note: String) throws {
        clock += 5
        let file = root.appending(path: "notes/\(note)/updates/\(instance)_\(note)_\(clock)-999.yjson")
        try Data([0] + update.dropLast()).write(to: file)
    }

    private func put(_ text: String, _ path: String) throws { try put(Data(text.utf8), path) }

    private func put(_ bytes: Data, _ path: String) throws {
        try ((hasFlags ? Data([1]) : Data()) + bytes).write(to: root.appending(path: path))
    }

    private func make(_ folder: String) throws {
        try FileManager.default.createDirectory(at: root.appending(path: folder), withIntermediateDirectories: true)
    }
}

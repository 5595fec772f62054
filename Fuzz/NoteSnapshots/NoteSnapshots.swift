import NoteFiles

/// Reads any bytes as each file that is read whole: snapshots of both generations, packs, updates.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzNoteSnapshots(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let files: [(FileKind, String)] = [
        (.snapshots, "a_1.snapshot"), (.snapshots, "snapshot_1_a.yjson"), (.packs, "a_pack_0-1.yjson.zst"),
        (.updates, "a_b_1700000000000-3.yjson"),
    ]
    for (kind, name) in files {
        guard let pieces = try? kind.pieces(of: bytes, name: name, path: name) else { continue }
        let size = pieces.reduce(0) { sum, piece in
            switch piece {
            case .record(let record): sum + record.payload.count
            case .snapshot(let state): sum + state.payload.count
            }
        }
        precondition(size <= 16 << 20, "a small file became a large one")
    }
    return 0
}

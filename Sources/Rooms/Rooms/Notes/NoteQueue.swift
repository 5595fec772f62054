/// Frames that wait for the channel of notes, in order.
struct NoteQueue {
    private enum Item {
        case frame(NoteFrame)
        case whole(NoteFrame.Part)

        var note: String? {
            switch self {
            case .frame(.stopped(let note)), .frame(.wanted(let note)): note
            case .frame(.cursor(let cursor)): cursor.note
            case .frame(.pictureWanted(let picture)): picture.note
            case .frame: nil
            case .whole(let part): part.note
            }
        }

        var isUpdate: Bool { if case .whole(let part) = self { part.kind == .update } else { false } }
        var count: Int { if case .whole(let part) = self { part.bytes.count } else { 0 } }
    }

    private var items: [Item] = []
    /// Items before this one are sent.
    private var first = 0
    /// Bytes of the first item that are sent.
    private var offset = 0
    /// Bytes of waiting updates and state vectors, including the one in progress.
    private(set) var bytes = 0
    /// Notes with a waiting state vector that is not in progress: at most one for each note.
    private(set) var vectors: Set<String> = []

    var isEmpty: Bool { first == items.count }

    mutating func append(_ frame: NoteFrame) { items.append(.frame(frame)) }

    /// Only the newest place counts.
    mutating func append(cursor: NoteCursor) {
        items[first...].removeAll {
            if case .frame(.cursor(let waiting)) = $0 { waiting.note == cursor.note } else { false }
        }
        append(.cursor(cursor))
    }

    mutating func append(update: [UInt8], of note: String) { append(update, .update, of: note) }

    /// A second one of the same note is dropped, because the answer to the first answers it as well.
    mutating func append(vector: [UInt8], of note: String) {
        if vectors.insert(note).inserted { append(vector, .stateVector, of: note) }
    }

    private mutating func append(_ content: [UInt8], _ kind: NoteFrame.Kind, of note: String) {
        items.append(.whole(.init(note: note, kind: kind, total: content.count, offset: 0, bytes: content)))
        bytes += content.count
    }

    /// Drops the updates of a note that were not started; with `all`, also the one in progress and all its other
    /// frames.
    mutating func drop(_ note: String, all: Bool) {
        var kept: [Item] = []
        for (number, item) in items[first...].enumerated() {
            let isBegun = number == 0 && offset > 0
            if item.note == note, all || item.isUpdate && !isBegun {
                bytes -= item.count
                if isBegun { offset = 0 }
            } else {
                kept.append(item)
            }
        }
        (items, first) = (kept, 0)
        if all { vectors.remove(note) }
    }

    /// The next frame, with at most `size` bytes of content.
    func next(atMost size: Int) -> NoteFrame? {
        guard !isEmpty else { return nil }
        switch items[first] {
        case .frame(let frame): return frame
        case .whole(var part):
            part.bytes = Array(part.bytes[offset..<min(offset + size, part.total)])
            part.offset = offset
            return .part(part)
        }
    }

    /// The next frame was sent.
    /// - Returns: whether this completed an update.
    mutating func sent(_ frame: NoteFrame) -> Bool {
        let isUpdate = items[first].isUpdate
        if !isUpdate, offset == 0, case .part(let part) = frame { vectors.remove(part.note) }
        if case .part(let part) = frame, part.offset + part.bytes.count < part.total {
            offset = part.offset + part.bytes.count
            return false
        }
        bytes -= items[first].count
        items[first] = .frame(.unknown)
        (first, offset) = (first + 1, 0)
        if first > 32, first * 2 > items.count {
            items.removeFirst(first)
            first = 0
        }
        return isUpdate
    }
}

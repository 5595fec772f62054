import Rooms

/// Reads any bytes as a frame of the channel of notes. What is accepted keeps to the limits, and reads the same after it was
/// written.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzNoteFrames(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let frame = try? NoteFrame(bytes: Array(UnsafeBufferPointer(start: start, count: count))) else { return 0 }
    if case .part(let part) = frame {
        precondition(part.total <= NoteLimits.update, "an update is larger than the limit")
        precondition(part.offset <= part.total - part.bytes.count, "a part does not lie within its whole")
    }
    if case .pictureWanted(let picture) = frame {
        precondition(picture.id.utf8.count == 32 && !picture.note.isEmpty, "a picture has no id")
    }
    if case .offer(let note) = frame {
        precondition(!note.id.isEmpty && note.title.utf8.count <= NoteLimits.title, "a note has no id or a long title")
    }
    precondition((try? NoteFrame(bytes: frame.bytes)) == frame, "a frame changes when it is read and written again")
    return 0
}

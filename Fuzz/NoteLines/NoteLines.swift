import NoteFiles

/// Reads any text as lines of activity and of deletions, and as a presence. What was read is read again from what we would write.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzNoteLines(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
        if let entry = ActivityEntry(line: line) {
            precondition(ActivityEntry(line: entry.line[...]) == entry, "an activity line is not what it was")
        }
        if let deletion = Deletion(line: line) {
            precondition(Deletion(line: deletion.line[...]) == deletion, "a deletion line is not what it was")
        }
    }
    if let presence = try? Presence(bytes) {
        guard let again = try? Presence(presence.bytes) else { preconditionFailure("a presence cannot be read again") }
        precondition(again.profile == presence.profile && again.username == presence.username, "a presence changed")
    }
    return 0
}

import NoteIndex

/// The table of characters is kept for good, and the sanitizer does not see pointers that share a word with the case of an enum.
@_cdecl("__lsan_default_suppressions")
public func leaksThatAreNone() -> UnsafePointer<CChar> {
    let text: StaticString = "leak:FoldedScalar"
    return UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}

/// Puts any text into the index as a note with a comment, and looks for any other: nothing is an error, and a text of known letters is
/// found by itself.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSearchWords(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    let half = bytes.firstIndex(of: 0) ?? bytes.count
    let text = String(decoding: bytes[..<half], as: UTF8.self)
    let other = String(decoding: bytes[half...].drop { $0 == 0 }, as: UTF8.self)
    let directory = IndexedDirectory(id: "fuzz", name: "Notes", path: "/notes")
    guard let index = try? NoteIndex(temporaryOf: directory) else {
        preconditionFailure("there is no room for an index")
    }
    let comment = IndexedComment(author: "a", authorName: "A", authorHandle: "@a", text: other, created: 1, modified: 1)
    let note = IndexedNote(
        id: "n", title: other, created: 1, modified: 1, text: "\n" + text,
        threads: [IndexedThread(id: "t", comment: comment, quoted: "")])
    do {
        try index.write { try $0.upsert(note) }
        _ = try index.read { try $0.search(other) }
        let found = try index.read { try $0.search("\" \(text) \"") }
        let isPlain = text.count < 900 && text.unicodeScalars.allSatisfy { $0.value < 0x250 && $0 != "\"" }
        if isPlain, text.utf8.contains(UInt8(ascii: "a")) {
            precondition(found.count == 1, "a text does not find itself")
        }
    } catch {
        preconditionFailure("\(error)")
    }
    return 0
}

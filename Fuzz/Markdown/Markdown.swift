import RichText

/// Reads any bytes as Markdown: the document keeps to the schema, and printing it loses nothing.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMarkdown(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    let document = RichText(markdown: text)
    precondition(Schema.problems(in: document).isEmpty, "what was read breaks the schema")
    let printed = document.markdown()
    precondition(RichText(markdown: printed, editing: document) == document, "printing changed the document")
    // What the JSON of a block brought along unseen is gone after the first time.
    let shown = RichText(markdown: printed)
    precondition(RichText(markdown: shown.markdown()) == shown, "reading does not take back printing")
    _ = (document.title, document.tags, document.noteLinks, document.headings, document.tasks, document.snippet)
    return 0
}

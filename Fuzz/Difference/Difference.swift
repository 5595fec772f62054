import RichText

/// Makes two documents of any bytes: the edits between them lead from one to the other.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDifference(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    let half = bytes.firstIndex(of: 0) ?? bytes.count / 2
    let old = RichText(markdown: String(decoding: bytes[..<half], as: UTF8.self))
    let text = String(decoding: bytes[half...].drop { $0 == 0 }, as: UTF8.self)
    for new in [RichText(markdown: text), RichText(markdown: text, editing: old)] {
        let edits = RichText.difference(from: old, to: new)
        guard let edited = try? old.applying(edits) else { preconditionFailure("edits do not fit") }
        precondition(edited.normalized == new.normalized, "edits lead elsewhere")
        precondition(Schema.problems(in: new).isEmpty, "an edited text breaks the schema")
    }
    return 0
}

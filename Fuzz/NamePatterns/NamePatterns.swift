import ComponentStorage

/// Reads any text as an expression and as a pattern of a search, up to the first line feed, and looks for it in the rest. What is accepted is short,
/// and looking takes no longer than both lengths allow.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzNamePatterns(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    let end = bytes.firstIndex(of: 10) ?? bytes.endIndex
    let text = String(decoding: bytes[..<end], as: UTF8.self)
    let name = String(decoding: bytes[end...].prefix(256), as: UTF8.self)
    for expression in [try? RegularExpression(text), try? RegularExpression(pattern: text)] {
        guard let expression else { continue }
        precondition(text.utf8.count <= RegularExpression.byteLimit)
        var steps = 0
        _ = expression.matches(name, steps: &steps)
        precondition(steps <= (name.unicodeScalars.count + 1) * (RegularExpression.instructionLimit + 1))
    }
    return 0
}

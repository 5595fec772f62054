import LineEditor

/// Takes any bytes as what a terminal sends: nothing is kept without a limit, and every row of the line fits.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLineEditor(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    var (decoder, editor) = (KeyDecoder(), LineEditor())
    var screen = TerminalScreen(columns: 20, rows: 6)
    for (number, key) in decoder.keys(bytes).enumerated() {
        if case .line(let text)? = editor.take(key) { _ = screen.add(text, id: "\(number % 4)") }
        let row = LineRow(editor.line, columns: screen.lineColumns)
        guard row.before.count + row.after.count < 20 else { fatalError("the row does not fit: \(row)") }
        _ = screen.draw(line: row)
        _ = screen.replace("\(number % 3)", with: "again")
    }
    return 0
}

import Rooms

/// Reads any text as a join code; what is accepted must read the same again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJoinCode(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    if let code = try? JoinCode(parsing: text) {
        precondition((try? JoinCode(parsing: code.display)) == code, "the canonical form reads differently")
    }
    return 0
}

import Rooms

/// Reads any bytes as an envelope. What is accepted keeps to the limits, and reads the same after it was written.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzEnvelope(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let envelope = try? Envelope(bytes: Array(UnsafeBufferPointer(start: start, count: count))) else { return 0 }
    if case .message(let message) = envelope, case .file(let file) = message.content {
        precondition(!file.name.isEmpty && !file.name.contains("/"), "a file name leads out of its folder")
    }
    let written = envelope.bytes
    guard let again = try? Envelope(bytes: written) else { preconditionFailure("what we write cannot be read") }
    precondition(again.bytes == written, "an envelope changes when it is read and written again")
    return 0
}

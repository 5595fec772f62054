import Components

/// The first two bytes choose a message of the schemas, the rest is read as one. What was read must be read again from what
/// is written of it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzComponentMessages(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard bytes.count >= 2 else { return 0 }
    let type = allMessageTypes[(Int(bytes[0]) << 8 | Int(bytes[1])) % allMessageTypes.count]
    guard let message = try? type.init(decoding: bytes[2...]) else { return 0 }
    let written = message.encoded
    guard let again = try? type.init(decoding: written), again.encoded == written else {
        fatalError("\(type.schemaName) changes when it is written and read")
    }
    return 0
}

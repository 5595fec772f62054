internal import Wire

/// The arguments of `fh_write`, `fs_op.WriteAtFdPosArgs`, with the bytes where they came: large writes are not copied first.
struct PlacedBytes {
    let file: Int32
    let position: Int64?
    let bytes: ArraySlice<UInt8>

    init(decoding message: [UInt8]) throws(WireError) {
        var file: Int32?
        var position: Int64?
        var bytes: ArraySlice<UInt8>?
        var fields = ProtobufReader(message)
        while let field = try fields.next() {
            switch field.number {
            case 1: file = try field.int32()
            case 2: position = try field.int64()
            case 3: bytes = try field.slice(atMost: .max)
            default: break
            }
        }
        guard let file, let bytes else { throw WireError(.malformed, "a required field is missing") }
        (self.file, self.position, self.bytes) = (file, position, bytes)
    }
}

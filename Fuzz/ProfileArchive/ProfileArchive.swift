import Storage

/// Reads any bytes as the beginning of an archive, and as what one holds: the records behind its seal, in parts. What was read is
/// written the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzProfileArchive(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if let header = try? ArchiveHeader(bytes) {
        precondition(header.bytes == bytes, "a header is written in another way than it was read")
    }
    let size = max(1, Int(bytes.first ?? 1))
    var parser = ArchiveParser()
    var written: [UInt8] = []
    var isSound = true
    for begin in stride(from: 0, to: bytes.count, by: size) where isSound {
        parser.feed(Array(bytes[begin..<min(begin + size, bytes.count)]))
        do {
            while let record = try parser.next() { written += record.bytes }
        } catch { isSound = false }
        precondition(parser.depth <= ArchiveParser.depthLimit + 1 && parser.depth >= -1, "a folder is too deep")
    }
    precondition(bytes.starts(with: written), "a record is written in another way than it was read")
    if isSound, (try? parser.finish()) != nil { precondition(written == bytes, "something was passed over") }
    return 0
}

import Cryptography
import Storage

/// Reads any bytes as a vault file, as they are and with the checksum put right. What is accepted is written the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzVault(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    for candidate in [bytes, bytes + HashFunction.sha256.digest(bytes).prefix(8)] {
        if let header = try? VaultHeader(candidate) {
            precondition(header.bytes == candidate, "a header is written in another way than it was read")
        }
    }
    return 0
}

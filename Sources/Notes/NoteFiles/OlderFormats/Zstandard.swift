internal import CZstandard
internal import Wire

/// Decompression with limits (RFC 8878).
enum Zstandard {
    static let magic: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd]
    /// Frames that need more memory than 16 MiB to be decompressed are refused.
    private static let windowLog: Int32 = 24

    static func decompress(_ bytes: [UInt8], atMost limit: Int) throws(WireError) -> [UInt8] {
        guard let stream = ZSTD_createDStream() else {
            throw WireError(.limitExceeded, "there is no memory to decompress it")
        }
        defer { ZSTD_freeDStream(stream) }
        ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, windowLog)
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 17)
        var position = 0
        while true {
            let (left, consumed, produced) = step(stream, bytes, from: position, into: &chunk)
            if ZSTD_isError(left) != 0 {
                throw WireError(.malformed, "it cannot be decompressed: \(String(cString: ZSTD_getErrorName(left)))")
            }
            position += consumed
            output += chunk[..<produced]
            if output.count > limit {
                throw WireError(.limitExceeded, "it is longer than \(limit >> 20) MiB when decompressed")
            }
            // 0: a frame is whole. Another one may follow.
            if left == 0, position == bytes.count { return output }
            if consumed == 0, produced == 0 { throw WireError(.truncated, "its compressed data ends too early") }
        }
    }

    private static func step(
        _ stream: OpaquePointer, _ bytes: [UInt8], from position: Int, into chunk: inout [UInt8]
    ) -> (left: Int, consumed: Int, produced: Int) {
        bytes.withUnsafeBytes { source in
            chunk.withUnsafeMutableBytes { target in
                var input = ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: position)
                var output = ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
                let left = ZSTD_decompressStream(stream, &output, &input)
                return (left, input.pos - position, output.pos)
            }
        }
    }
}

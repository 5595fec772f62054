internal import CZlib

/// Decompresses gzip (RFC 1952), for clients that compress what they send.
///
/// Total and bounded: for any bytes it returns at most the allowed number of bytes, or throws. It takes no more memory
/// than that and 100 KiB.
package enum Gzip {
    /// The content of `bytes`, which must be exactly one gzip member.
    /// - Parameter limit: bytes of the content.
    package static func decompress(_ bytes: [UInt8], atMost limit: Int) throws(WireError) -> [UInt8] {
        guard bytes.count <= Int(UInt32.max) else { throw WireError(.limitExceeded, "a gzip member is too long") }
        var input = bytes
        var stream = z_stream()
        // A window of 15 bits, the maximum; 16 is added to demand a gzip header.
        let status = inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw WireError(.limitExceeded, "there is no memory for decompressing") }
        defer { inflateEnd(&stream) }
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 32 << 10)
        let end = input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            return chunk.withUnsafeMutableBufferPointer { chunk in
                repeat {
                    stream.next_out = chunk.baseAddress
                    stream.avail_out = UInt32(chunk.count)
                    let status = inflate(&stream, Z_NO_FLUSH)
                    output += chunk[..<(chunk.count - Int(stream.avail_out))]
                    if status != Z_OK { return status }
                } while output.count <= limit
                return Z_OK
            }
        }
        guard output.count <= limit else {
            throw WireError(.limitExceeded, "what is compressed has more than \(limit) bytes")
        }
        switch end {
        case Z_STREAM_END where stream.avail_in == 0: return output
        case Z_STREAM_END: throw WireError(.trailingBytes, "bytes follow the end of a gzip member")
        case Z_BUF_ERROR: throw WireError(.truncated, "a gzip member ends too early")
        default: throw WireError(.malformed, "these bytes are not gzip, or they are damaged")
        }
    }
}

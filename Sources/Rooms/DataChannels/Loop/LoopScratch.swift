internal import SCTP

/// Memory that is used within one call and never between two. Touched by the loop's own thread only.
final class LoopScratch: @unchecked Sendable {
    /// The packets that an association sends next.
    var packets = PacketBatch()
    /// One decrypted DTLS record: at most 16 KiB.
    let plaintext = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 15, alignment: 16)

    deinit { plaintext.deallocate() }
}

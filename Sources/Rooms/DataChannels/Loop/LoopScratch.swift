internal import SCTP

/// Memory that is used within one call and never between two.
///
/// Unchecked, because the loop that holds it is `Sendable`. Only the transports of the loop's connections touch it, and those are
/// the state of actors whose executor is the loop: they run on its thread, one call at a time, and none calls back into another.
final class LoopScratch: @unchecked Sendable {
    /// The packets that an association sends next.
    var packets = PacketBatch()
    /// One decrypted DTLS record: at most 16 KiB.
    let plaintext = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 15, alignment: 16)

    deinit { plaintext.deallocate() }
}

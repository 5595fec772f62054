internal import CNice

/// Packets that wait for the end of the round of events, back to back in one buffer.
struct DatagramBatch {
    private var bytes: [UInt8] = []
    private var counts: [Int] = []

    var isEmpty: Bool { counts.isEmpty }

    mutating func append(_ packet: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: packet)
        counts.append(packet.count)
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        counts.removeAll(keepingCapacity: true)
    }

    /// Passes all packets to libnice in one call, which uses `sendmmsg` on UDP. One that is larger than the interface carries
    /// was a probe, and does not keep the others from leaving.
    func send(agent: OpaquePointer, stream: guint) {
        bytes.withUnsafeBytes { bytes in
            var offset = 0
            var vectors = counts.map { count in
                defer { offset += count }
                return GOutputVector(buffer: bytes.baseAddress.map { $0 + offset }, size: gsize(count))
            }
            vectors.withUnsafeMutableBufferPointer { vectors in
                let messages = vectors.indices.map { index in
                    NiceOutputMessage(buffers: vectors.baseAddress.map { $0 + index }, n_buffers: 1)
                }
                var sent = 0
                while sent < messages.count {
                    let count = messages.withUnsafeBufferPointer { messages in
                        nice_agent_send_messages_nonblocking(
                            agent,
                            stream,
                            1,
                            messages.baseAddress.map { $0 + sent },
                            guint(messages.count - sent),
                            nil,
                            nil
                        )
                    }
                    if count <= 0, !isTooLarge { return }
                    sent += max(1, Int(count))
                }
            }
        }
    }
}

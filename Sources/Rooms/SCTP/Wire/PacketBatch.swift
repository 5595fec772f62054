/// Packets to send, back to back in one buffer. One batch can serve all associations of a loop: fill, send, empty.
public struct PacketBatch: ~Copyable {
    private var storage: UnsafeMutableRawBufferPointer
    private var ends: [Int] = []
    private let limit: Int
    /// The end of the last whole packet, and of what was written behind it.
    private var start = 0
    private var end = 0
    /// The end that the packet being written may reach.
    private var packetLimit = 0

    /// - Parameters:
    ///   - packets: how many it holds at most.
    ///   - capacity: bytes for all of them.
    public init(packets: Int = 64, capacity: Int = 64 * 1500) {
        limit = max(1, packets)
        storage = .allocate(byteCount: max(2048, capacity), alignment: 16)
        ends.reserveCapacity(limit)
    }

    deinit { storage.deallocate() }

    /// The number of packets.
    public var count: Int { ends.count }
    /// Whether it has no packet.
    public var isEmpty: Bool { ends.isEmpty }

    /// Bytes of all packets together.
    public var byteCount: Int { start }

    /// Calls `body` with each packet, in the order in which they were made. The bytes are valid inside the call.
    public func forEach<Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        var start = 0
        for end in ends {
            try body(UnsafeRawBufferPointer(rebasing: storage[start..<end]))
            start = end
        }
    }

    /// A copy of each packet.
    public var packets: [[UInt8]] {
        var packets: [[UInt8]] = []
        forEach { packets.append(Array($0)) }
        return packets
    }

    /// Empties the batch and keeps its memory.
    public mutating func removeAll() {
        ends.removeAll(keepingCapacity: true)
        (start, end) = (0, 0)
    }

    // MARK: - Writing

    /// Begins a packet of at most `size` bytes; `false` if the batch has no room for it.
    mutating func begin(size: Int) -> Bool {
        guard ends.count < limit else { return false }
        if storage.count - start < size {
            guard ends.isEmpty else { return false }
            storage.deallocate()
            storage = .allocate(byteCount: size, alignment: 16)
        }
        packetLimit = start + size
        end = start
        return true
    }

    /// Bytes of the packet being written, and how many more it may have.
    var written: Int { end - start }
    var room: Int { packetLimit - end }

    mutating func put(_ value: UInt8) {
        storage.storeBytes(of: value, toByteOffset: end, as: UInt8.self)
        end += 1
    }

    mutating func put(_ value: UInt16) {
        storage.storeBytes(of: value.bigEndian, toByteOffset: end, as: UInt16.self)
        end += 2
    }

    mutating func put(_ value: UInt32) {
        storage.storeBytes(of: value.bigEndian, toByteOffset: end, as: UInt32.self)
        end += 4
    }

    mutating func put(_ bytes: [UInt8]) { put(bytes, from: 0, count: bytes.count) }

    /// Copies a part of an array.
    mutating func put(_ bytes: [UInt8], from offset: Int, count: Int) {
        guard count > 0 else { return }
        bytes.withUnsafeBytes { bytes in
            UnsafeMutableRawBufferPointer(rebasing: storage[end..<end + count])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
        }
        end += count
    }

    mutating func put(zeros count: Int) {
        for _ in 0..<count { put(UInt8(0)) }
    }

    /// Fills the chunk up to a multiple of four bytes.
    mutating func pad() { put(zeros: -written & 3) }

    /// Overwrites a number in the packet being written.
    mutating func patch(_ value: UInt16, at offset: Int) {
        storage.storeBytes(of: value.bigEndian, toByteOffset: start + offset, as: UInt16.self)
    }

    func byte(at offset: Int) -> UInt8 { storage[start + offset] }

    mutating func patch(byte: UInt8, at offset: Int) { storage[start + offset] = byte }

    mutating func put(_ header: PacketHeader) {
        put(header.sourcePort)
        put(header.destinationPort)
        put(header.tag)
        put(UInt32(0))
    }

    /// Ends the packet, with its checksum or zero in its place.
    mutating func finish(checksum: Bool) {
        if checksum {
            let value = CRC32C.checksum(ofPacket: UnsafeRawBufferPointer(rebasing: storage[start..<end]))
            storage.storeBytes(of: value.bigEndian, toByteOffset: start + 8, as: UInt32.self)
        }
        ends.append(end)
        start = end
    }

    /// Forgets the packet being written.
    mutating func cancel() { end = start }
}

internal import COpenSSL

/// Random bytes from OpenSSL's generator, which the kernel seeds.
public enum SecureRandom {
    /// So many random bytes.
    public static func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            fill(UnsafeMutableRawBufferPointer(buffer))
            initialized = count
        }
    }

    /// A number from 0 up to, and not including, `bound`; every one is equally likely.
    public static func number(below bound: UInt32) -> UInt32 {
        var generator = SystemRandomNumberGenerator()
        return generator.next(upperBound: bound)
    }

    static func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        guard let base = buffer.bindMemory(to: UInt8.self).baseAddress else { return }
        // Predictable keys would be worse than stopping. No input can cause this.
        precondition(RAND_bytes(base, Int32(buffer.count)) == 1, "the system gives no random numbers")
    }
}

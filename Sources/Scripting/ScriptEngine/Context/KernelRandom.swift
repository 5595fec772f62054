internal import Platform

/// Random bytes from the kernel's generator.
func kernelRandom(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        // The kernel always returns up to this many bytes in one call.
        for start in stride(from: 0, to: count, by: 256) {
            let part = UnsafeMutableRawBufferPointer(
                rebasing: UnsafeMutableRawBufferPointer(buffer)[start...].prefix(256))
            guard let base = part.baseAddress else { continue }
            // Predictable numbers would be worse than stopping. No input can cause this.
            precondition(getentropy(base, part.count) == 0, "the system gives no random numbers")
        }
        initialized = count
    }
}

internal import Platform

/// Random bytes from the kernel's generator.
func kernelRandom(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        // So many at once, and no more, are to be had whatever else happens.
        for start in stride(from: 0, to: count, by: 256) {
            let part = UnsafeMutableRawBufferPointer(
                rebasing: UnsafeMutableRawBufferPointer(buffer)[start...].prefix(256))
            guard let base = part.baseAddress else { continue }
            // Going on with predictable numbers would be worse than stopping, and no input can bring this about.
            precondition(getentropy(base, part.count) == 0, "the system gives no random numbers")
        }
        initialized = count
    }
}

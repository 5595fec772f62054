internal import COpenSSL

/// Comparison whose duration tells nothing about where two byte strings differ. Their lengths are not secret.
package enum ConstantTime {
    /// Whether both have the same bytes.
    package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.withUnsafeBytes { left in right.withUnsafeBytes { right in areEqual(left, right) } }
    }

    static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        guard left.count == right.count else { return false }
        guard let first = left.baseAddress, let second = right.baseAddress else { return true }
        return CRYPTO_memcmp(first, second, left.count) == 0
    }
}

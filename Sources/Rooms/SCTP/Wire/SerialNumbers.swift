// Sequence numbers wrap around: one is before another if the way forward to it is the shorter one (RFC 1982, RFC 9260
// section 1.6).

extension UInt32 {
    /// Whether this number comes before the other.
    @inline(__always) func isBefore(_ other: UInt32) -> Bool { Int32(bitPattern: self &- other) < 0 }

    @inline(__always) func isAtOrBefore(_ other: UInt32) -> Bool { Int32(bitPattern: self &- other) <= 0 }

    /// Steps from this number forward to the other; negative if that comes before.
    @inline(__always) func steps(to other: UInt32) -> Int { Int(Int32(bitPattern: other &- self)) }
}

extension UInt16 {
    /// Whether this number comes before the other.
    @inline(__always) func isBefore(_ other: UInt16) -> Bool { Int16(bitPattern: self &- other) < 0 }
}

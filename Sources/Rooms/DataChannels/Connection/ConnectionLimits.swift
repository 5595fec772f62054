/// What a connection waits for, and for how long. Tests shorten the second.
struct ConnectionLimits {
    /// Seconds that a connection may take once both descriptions are in place, or once it has to start over.
    var connect = 45
    /// Seconds without a packet after which the path counts as disconnected.
    var silence = 7
    /// Seconds without a packet after which the path is given up, as consent is (RFC 7675 section 5.1).
    var loss = 30
    /// Seconds that the peer may take to answer the closing of a channel, counted from the last message that went out.
    var closing = 30
    /// The length of a second in milliseconds.
    var second: UInt32 = 1000
}

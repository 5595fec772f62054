/// The longest waits of a connection. Tests shorten ``second``.
struct ConnectionLimits {
    /// Seconds that connecting may take, from when both descriptions are set or the connection restarts.
    var connect = 45
    /// Seconds without a packet after which the path counts as disconnected.
    var silence = 7
    /// Seconds without a packet after which the path is given up, like expired consent (RFC 7675 section 5.1).
    var loss = 30
    /// Seconds that the peer may take to answer the closing of a channel, counted from the last message sent.
    var closing = 30
    /// The length of a second in milliseconds.
    var second: UInt32 = 1000
}

import Sealing

/// A message from the channel of messages, classified by its first bytes.
enum Arrival {
    /// A sealed message. Its header is not authenticated yet.
    case sealed(SealedHeader)
    case signal(Envelope.Signal)
    /// An unsealed message. Content is never sent like this, so it is always refused.
    case plain
    case unreadable

    init(_ bytes: [UInt8]) {
        if bytes.starts(with: SealedHeader.magic) {
            let header = bytes.count <= Envelope.Limit.envelope ? try? SealingSession.peek(bytes) : nil
            self = header.map(Self.sealed) ?? .unreadable
            return
        }
        switch try? Envelope(bytes: bytes) {
        case .signal(let signal): self = .signal(signal)
        case .message: self = .plain
        case nil: self = .unreadable
        }
    }
}

extension SealingSession {
    /// Opens a sealed message, whose content is a numbered envelope.
    /// - Throws: `unreadable` if it is something else, or has another number than its header.
    func open(message bytes: [UInt8]) throws(SealingError) -> (Envelope.Numbered, KeyUse) {
        let opened = try open(bytes)
        guard case .message(let message)? = try? Envelope(bytes: opened.content), message.sequence == opened.sequence
        else { throw SealingError(.unreadable, "what was sealed is not a message of this number") }
        return (message, opened.use)
    }
}

extension Body {
    /// Bytes that texts and names take when they are saved: a character that JSON has to escape counts as what it becomes.
    var savedBytes: Int {
        switch self {
        case .text(let text): text.savedBytes
        case .file(let offer):
            // A value of loudness has up to three digits and a comma.
            offer.name.savedBytes + (offer.handle?.savedBytes ?? 0) + 4 * (offer.media.waveform?.count ?? 0)
        case .noteShared(let line): line.title.savedBytes
        case .location, .lifetimeProposal, .lifetimeAnswer, .trust, .lifetimeChanged, .becameMember, .peerLeft: 0
        }
    }
}

extension String {
    /// Bytes of this text in JSON, without its quotation marks.
    fileprivate var savedBytes: Int {
        utf8.reduce(0) { count, byte in
            switch byte {
            case 0..<0x20: count + 6
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): count + 2
            default: count + 1
            }
        }
    }
}

internal import Cryptography

/// The states that editors were shown, so that their edits can be made where they were meant.
///
/// A revision is named by the time at which it was shown and by the digest of what was shown. States that have been forgotten can often
/// be made again from the logs, by the time; the digest tells whether it is the same.
struct ShownRevisions {
    private struct Shown {
        let name: String
        let note: String
        let state: [UInt8]
    }

    /// States that are kept.
    private static let countLimit = 512
    /// Their bytes together.
    private static let byteLimit = 64 << 20

    /// The last shown at the end.
    private var shown: [Shown] = []
    private var byteCount = 0

    func state(_ name: String, of note: String) -> [UInt8]? {
        shown.last { $0.name == name && $0.note == note }?.state
    }

    /// Keeps a state under a name for it.
    mutating func keep(_ state: [UInt8], showing markdown: String, of note: String, at time: Int64) -> String {
        if let last = shown.last(where: { $0.note == note }), last.state == state { return last.name }
        let name = "\(time)-\(Self.digest(markdown))"
        shown.append(Shown(name: name, note: note, state: state))
        byteCount += state.count
        while shown.count > Self.countLimit || (byteCount > Self.byteLimit && shown.count > 1) {
            byteCount -= shown.removeFirst().state.count
        }
        return name
    }

    /// When a revision was shown and the digest of what it showed.
    static func parts(of name: String) -> (time: Int64, digest: Substring)? {
        let parts = name.split(separator: "-", maxSplits: 1)
        guard parts.count == 2, let time = Int64(parts[0]) else { return nil }
        return (time, parts[1])
    }

    /// The client that makes this edit of this state, no matter who asks for it and how often. Another state, be it only spelled otherwise,
    /// has another client: under one client the same operations have to follow from the same bytes.
    static func client(_ state: [UInt8], _ markdown: String) -> UInt32 {
        let digest = HashFunction.sha256.digest(state + markdown.utf8)
        return max(1, digest.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
    }

    static func digest(_ markdown: String) -> String {
        HashFunction.sha256.digest(Array(markdown.utf8)).prefix(8).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}

/// What a connection keeps for one channel.
final class ChannelRecord {
    let channel: DataChannel
    var handlers: DataChannelHandlers?
    /// Messages that wait for handlers.
    var backlog: [DataChannelMessage] = []
    /// Messages that wait for a stream.
    var unsent: [DataChannelMessage] = []
    var isOpen = false
    /// Until the peer has acknowledged the announcement, everything is sent in order behind it (RFC 8832 section 6).
    var isAcknowledged = false
    var resetsRequested = false
    var outgoingResetDone = false
    var incomingResetDone = false

    init(_ channel: DataChannel) { self.channel = channel }
}

/// The channels of a connection, by stream.
struct ChannelTable {
    /// Bytes of messages without handlers at which SCTP is no longer read.
    static let unreadLimit = 1 << 20
    /// What a waiting message counts beside its payload, so that empty ones are bounded too.
    static let messageOverhead = 64

    private(set) var byID: [UInt16: ChannelRecord] = [:]
    /// Channels that have no stream yet, in the order of their making.
    private(set) var waiting: [ChannelRecord] = []
    /// Bytes in all backlogs.
    var unread = 0

    var all: [ChannelRecord] { byID.sorted { $0.key < $1.key }.map(\.value) + waiting }

    func record(of channel: DataChannel) -> ChannelRecord? {
        if let id = channel.id, let record = byID[id], record.channel === channel { return record }
        return waiting.first { $0.channel === channel }
    }

    mutating func wait(_ record: ChannelRecord) { waiting.append(record) }

    /// `false` if the stream is taken.
    mutating func insert(_ record: ChannelRecord, id: UInt16) -> Bool {
        guard byID[id] == nil else { return false }
        byID[id] = record
        record.channel.assign(id: id)
        return true
    }

    mutating func takeWaiting() -> [ChannelRecord] {
        defer { waiting = [] }
        return waiting
    }

    mutating func remove(_ record: ChannelRecord) {
        if let id = record.channel.id, byID[id] === record { byID[id] = nil }
        waiting.removeAll { $0 === record }
        unread -= record.backlog.reduce(0) { $0 + $1.byteCount + Self.messageOverhead }
        record.backlog = []
    }

    mutating func removeAll() { self = ChannelTable() }

    /// The lowest free stream of our parity: even for the DTLS client, odd for the server (RFC 8832 section 6).
    func freeID(_ role: DTLSTransport.Role) -> UInt16? {
        stride(from: role == .client ? 0 : 1, to: SCTPSettings.streams, by: 2).first { byID[$0] == nil }
    }
}

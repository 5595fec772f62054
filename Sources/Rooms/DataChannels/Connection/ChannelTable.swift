internal import Platform

/// The state that a connection keeps for one channel.
final class ChannelRecord {
    let channel: DataChannel
    var handlers: DataChannelHandlers?
    /// Messages that wait for handlers or a reader.
    var backlog = FIFO<DataChannelMessage>()
    /// The reader that waits for the next message, instead of handlers.
    var reader: MessageReader?
    /// Messages that wait for a stream.
    var unsent: [DataChannelMessage] = []
    var isOpen = false
    /// Until the peer has acknowledged the announcement, all messages are sent in order after it (RFC 8832 section 6).
    var isAcknowledged = false
    var isClosing = false
    /// Seconds since closing in which nothing was sent.
    var secondsClosing = 0
    /// Closed without the peer's answer. Its stream stays in use until the answer comes.
    var isAbandoned = false
    var resetsRequested = false
    var outgoingResetDone = false
    var incomingResetDone = false

    init(_ channel: DataChannel) { self.channel = channel }
}

/// The channels of a connection, by stream.
struct ChannelTable {
    /// Bytes of messages without handlers at which SCTP is no longer read.
    static let unreadLimit = 1 << 20
    /// The most channels at a time: each takes memory, and the peer can open some.
    static let mostChannels = 4096
    /// How many bytes a waiting message counts beside its payload, so that empty ones are bounded too.
    static let messageOverhead = 64

    private(set) var byID: [UInt16: ChannelRecord] = [:]
    /// Channels that have no stream yet, in the order of their creation.
    private(set) var waiting: [ChannelRecord] = []
    /// Bytes in all backlogs.
    var unread = 0

    var all: [ChannelRecord] { byID.sorted { $0.key < $1.key }.map(\.value) + waiting }

    var isFull: Bool { byID.count + waiting.count >= Self.mostChannels }

    func record(of channel: DataChannel) -> ChannelRecord? {
        if let id = channel.id, let record = byID[id], record.channel === channel { return record }
        return waiting.first { $0.channel === channel }
    }

    mutating func wait(_ record: ChannelRecord) { waiting.append(record) }

    /// The stream must have been claimed for the channel.
    mutating func insert(_ record: ChannelRecord, id: UInt16) {
        byID[id] = record
        record.channel.assign(id: id)
    }

    mutating func takeWaiting() -> [ChannelRecord] {
        defer { waiting = [] }
        return waiting
    }

    mutating func remove(_ record: ChannelRecord) {
        if let id = record.channel.id, byID[id] === record { byID[id] = nil }
        waiting.removeAll { $0 === record }
    }

    /// Keeps a message until it is read.
    mutating func keep(_ message: DataChannelMessage, for record: ChannelRecord) {
        record.backlog.append(message)
        unread += message.byteCount + Self.messageOverhead
    }

    /// The oldest message that was kept.
    mutating func takeKept(of record: ChannelRecord) -> DataChannelMessage? {
        guard let message = record.backlog.removeFirst() else { return nil }
        unread -= message.byteCount + Self.messageOverhead
        return message
    }

    mutating func removeAll() { self = ChannelTable() }
}

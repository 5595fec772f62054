import DataChannels

/// What a conversation needs of a data channel.
protocol ConversationChannel: AnyObject, Sendable {
    /// - Throws: ``PeerConnectionError`` with `limit` when too much waits already.
    func send(_ bytes: [UInt8]) throws
    var bufferedAmount: Int { get }
    var bufferedAmountLowThreshold: Int { get set }
}

extension DataChannel: ConversationChannel {}

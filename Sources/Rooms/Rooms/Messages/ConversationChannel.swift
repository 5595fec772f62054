import DataChannels

/// The parts of a data channel that a conversation uses.
protocol ConversationChannel: AnyObject, Sendable {
    /// - Throws: ``PeerConnectionError`` with `limit` when too much waits already.
    func send(_ bytes: [UInt8]) throws
    var bufferedAmount: Int { get }
    var bufferedAmountLowThreshold: Int { get set }
}

extension DataChannel: ConversationChannel {}

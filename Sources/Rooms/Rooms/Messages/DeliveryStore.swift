/// The store of the numbers in outboxes and inboxes, and of files in progress. The profile implements it; every call is
/// one transaction.
///
/// It does not hold the content of messages: their owner has it, and delivers it again after a restart.
package protocol DeliveryStore: Sendable {
    func delivery(room: String) throws -> StoredDelivery
    /// Records the number of a message. The number is never used again.
    func append(_ message: MessageID, sequence: UInt64, room: String) throws
    /// The waiting messages have exactly these numbers; `lastSent` is the highest number that was ever used.
    func renumber(_ messages: [(sequence: UInt64, id: MessageID)], lastSent: UInt64, room: String) throws
    /// Removes every number up to this one.
    func acknowledged(upTo sequence: UInt64, room: String) throws
    func received(upTo sequence: UInt64, room: String) throws

    func file(_ id: MessageID, room: String) throws -> StoredFile?
    func files(room: String) throws -> [StoredFile]
    func save(_ file: StoredFile, room: String) throws
    func forgetFile(_ id: MessageID, room: String) throws

    func forget(rooms: [String]) throws
}

/// The outbox and inbox of one room as stored on disk.
package struct StoredDelivery: Sendable {
    package var messages: [(sequence: UInt64, id: MessageID)]
    /// The highest number that was ever used, also by a message that is gone.
    package var lastSent: UInt64
    package var received: UInt64

    package init(messages: [(sequence: UInt64, id: MessageID)] = [], lastSent: UInt64 = 0, received: UInt64 = 0) {
        self.messages = messages
        self.lastSent = lastSent
        self.received = received
    }
}

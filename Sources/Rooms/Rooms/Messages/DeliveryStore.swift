/// Where the numbers of outboxes and inboxes and the files under way are kept. The profile implements it; every call is
/// one transaction.
///
/// What a message says is not kept here: its owner has it, and delivers it again after a restart.
package protocol DeliveryStore: Sendable {
    func delivery(room: String) throws -> StoredDelivery
    /// Notes that a message got this number, which is then used for ever.
    func append(_ message: MessageID, sequence: UInt64, room: String) throws
    /// The messages that wait have these numbers, and no others; `lastSent` is the highest number that was ever used.
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

/// The outbox and inbox of one room as they lie on disk.
package struct StoredDelivery: Sendable {
    package var messages: [(sequence: UInt64, id: MessageID)]
    /// The highest number that was ever used, also if its message is gone.
    package var lastSent: UInt64
    package var received: UInt64

    package init(messages: [(sequence: UInt64, id: MessageID)] = [], lastSent: UInt64 = 0, received: UInt64 = 0) {
        self.messages = messages
        self.lastSent = lastSent
        self.received = received
    }
}

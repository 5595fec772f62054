import Cryptography
import Foundation
import Sealing
import Storage
import Synchronization

@testable import Rooms

/// What sealing keeps, in a folder that goes with the object; copies of it are backups.
final class SealingFolder: SealingStore {
    let folder: String
    private let database: Mutex<Database>
    private let key = SecretBytes(copying: [UInt8](repeating: 9, count: 32))

    init(_ folder: String = NSTemporaryDirectory() + "alcove-rooms-\(UUID().uuidString)") throws {
        self.folder = folder
        try FileManager.default.createDirectory(atPath: folder + "/pools", withIntermediateDirectories: true)
        database = Mutex(try Self.open(folder))
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private static func open(_ folder: String) throws -> sending Database {
        let database = try Database(path: folder + "/keys.sqlite")
        try database.migrate(SealingTables.schema)
        return database
    }

    var poolsFolder: String { folder + "/pools" }

    func read<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) throws -> Value {
        try database.withLock { try body($0) }
    }

    func write(durably: Bool, _ body: @Sendable (Database) throws -> Void) throws {
        try database.withLock { database in
            try database.setDurability(.checkpoints)
            try database.transaction { try body(database) }
        }
    }

    func wrap(_ secret: [UInt8], context: String) throws -> [UInt8] {
        try AESGCM.seal(secret, key: key, context: Array(context.utf8))
    }

    func unwrap(_ wrapped: [UInt8], context: String) throws -> [UInt8] {
        try AESGCM.open(wrapped, key: key, context: Array(context.utf8))
    }

    /// - Returns: the folder of the copy.
    func backUp() throws -> String {
        let copy = folder + "-backup"
        try database.withLock { try $0.executeScript("PRAGMA wal_checkpoint(TRUNCATE)") }
        try FileManager.default.copyItem(atPath: folder, toPath: copy)
        return copy
    }

    /// Everything is as it was when the copy was made.
    func restore(_ copy: String) throws {
        try database.withLock { database in
            database = try Database.inMemory()
            try FileManager.default.removeItem(atPath: folder)
            try FileManager.default.moveItem(atPath: copy, toPath: folder)
            database = try Self.open(folder)
        }
    }
}

/// The other side of a conversation, without one of its own: it seals what the test says.
final class SealedPeer {
    /// As many keys as one part has: they are there at once, and nothing happens in the background.
    static let keyTarget = 64

    let folder: SealingFolder
    let session: SealingSession
    private var sealed: [Int: [UInt8]] = [:]
    /// What the conversation could not open.
    private(set) var refused: [UInt64] = []

    init() throws {
        folder = try SealingFolder()
        session = try SealingSession(pairing: "room", store: folder, target: Self.keyTarget)
    }

    static func binding(_ role: ChannelBinding.Role) -> ChannelBinding {
        let (creator, joiner) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
        return ChannelBinding(
            localFingerprint: role == .creator ? creator : joiner,
            remoteFingerprint: role == .creator ? joiner : creator, room: "room", role: role)
    }

    /// Connects and introduces both sides to each other, and takes from the channel what that took.
    func connect(to conversation: Conversation, over channel: TestChannel) async throws {
        await conversation.connected([.messages: channel, .files: TestChannel()], binding: Self.binding(.creator))
        for control in try session.connected(to: Self.binding(.joiner)) {
            await conversation.received(Envelope.signal(.sealing(control)).bytes)
        }
        try await hear(channel, conversation)
    }

    /// Takes what the conversation says, and answers what is about keys.
    /// - Returns: the rest.
    @discardableResult
    func hear(_ channel: TestChannel, _ conversation: Conversation) async throws -> [[UInt8]] {
        var rest: [[UInt8]] = []
        while let bytes = channel.take() {
            guard case .signal(.sealing(let control))? = try? Envelope(bytes: bytes) else {
                rest.append(bytes)
                continue
            }
            for output in try session.receive(control: control) {
                switch output {
                case .send(let answer): await conversation.received(Envelope.signal(.sealing(answer)).bytes)
                case .refused(let sequence, _): refused.append(sequence)
                default: break
                }
            }
        }
        return rest
    }

    /// A numbered message, the same bytes each time.
    func message(_ number: Int, _ content: MessageContent) throws -> [UInt8] {
        if let known = sealed[number] { return known }
        let made = try seal(number, content)
        sealed[number] = made
        return made
    }

    func text(_ number: Int) throws -> [UInt8] { try message(number, .text("\(number)")) }

    /// A numbered message under a key of its own each time.
    func seal(_ number: Int, _ content: MessageContent, inside: Int? = nil) throws -> [UInt8] {
        let envelope = Envelope.message(
            .init(id: OutboxTests.id(number), sequence: UInt64(inside ?? number), sentAt: 0, content: content))
        return try session.seal(envelope.bytes, sequence: UInt64(number))
    }
}

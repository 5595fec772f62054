import Foundation
import Sealing
import SealingSupport
import Synchronization

/// Two sides of one pairing, each with its own folder, and the messages between them.
final class SealedPair {
    let folder: String
    let left: Side
    let right: Side

    /// One side: its folder outlives its sessions.
    final class Side {
        let role: ChannelBinding.Role
        let path: String
        let target: Int
        let clock: Clock
        private(set) var store: FolderStore
        private(set) var session: SealingSession

        init(_ role: ChannelBinding.Role, path: String, target: Int, clock: Clock) throws {
            (self.role, self.path, self.target, self.clock) = (role, path, target, clock)
            store = try FolderStore(path)
            session = try SealingSession(pairing: "pair", store: store, target: target, now: clock.read)
        }

        /// As if the process had restarted.
        func restart() throws {
            store = try FolderStore(path)
            session = try SealingSession(pairing: "pair", store: store, target: target, now: clock.read)
        }

        /// Days go by, and on each of them it is used.
        func use(days: Int) throws {
            for _ in 0..<days {
                clock.advance(days: 1)
                try restart()
            }
        }

        /// Opens, stores, marks and erases.
        @discardableResult
        func take(_ bytes: [UInt8]) throws -> OpenedMessage {
            let opened = try session.open(bytes)
            try store.keep(opened)
            try session.erase([opened.use])
            return opened
        }
    }

    /// - Parameter rightClock: nil if both have the same.
    init(target: Int = 64, clock: Clock = Clock(), rightClock: Clock? = nil) throws {
        folder = NSTemporaryDirectory() + "alcove-sealing-\(UUID().uuidString)"
        left = try Side(.creator, path: folder + "/left", target: target, clock: clock)
        right = try Side(.joiner, path: folder + "/right", target: target, clock: rightClock ?? clock)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    static func binding(_ role: ChannelBinding.Role) -> ChannelBinding {
        let (creator, joiner) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
        return ChannelBinding(
            localFingerprint: role == .creator ? creator : joiner,
            remoteFingerprint: role == .creator ? joiner : creator, room: "room", role: role)
    }

    /// Connects the two sides and delivers all control messages.
    @discardableResult
    func connect() throws -> [SealingOutput] {
        let fromLeft = try left.session.connected(to: Self.binding(.creator))
        let fromRight = try right.session.connected(to: Self.binding(.joiner))
        return try exchange(fromLeft, fromRight)
    }

    func disconnect() {
        left.session.disconnected()
        right.session.disconnected()
    }

    /// Carries control messages to and fro until there are none left.
    @discardableResult
    func exchange(_ fromLeft: [[UInt8]] = [], _ fromRight: [[UInt8]] = []) throws -> [SealingOutput] {
        var (toRight, toLeft) = (fromLeft, fromRight)
        var outputs: [SealingOutput] = []
        while true {
            let answers = try toRight.flatMap { try right.session.receive(control: $0) }
            let replies = try toLeft.flatMap { try left.session.receive(control: $0) }
            outputs += (answers + replies).filter { if case .send = $0 { false } else { true } }
            toLeft = Self.sent(answers)
            toRight = Self.sent(replies)
            if let more = try right.session.nextAnnouncement() { toLeft.append(more) }
            if let more = try left.session.nextAnnouncement() { toRight.append(more) }
            if toLeft.isEmpty, toRight.isEmpty { return outputs }
        }
    }

    static func sent(_ outputs: [SealingOutput]) -> [[UInt8]] {
        outputs.compactMap { if case .send(let bytes) = $0 { bytes } else { nil } }
    }
}

/// The time of day in a test, which changes only when set.
final class Clock: Sendable {
    private let milliseconds = Mutex<Int64>(1_800_000_000_000)

    var read: @Sendable () -> Int64 { { self.milliseconds.withLock { $0 } } }

    func advance(days: Int64) {
        milliseconds.withLock { $0 += days * 86_400_000 }
    }
}

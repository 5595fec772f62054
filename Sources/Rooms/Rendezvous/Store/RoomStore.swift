/// Milliseconds since 1970.
typealias Timestamp = Int64

/// The store of codes and rooms. Each call is one decision, which is stored atomically and survives the process.
///
/// A store has one owner and may block; the server calls it on a dedicated thread.
protocol RoomStore: AnyObject {
    /// Reserves a code. The same request of the same party again gets the same answer; one with a ticket is told what its
    /// ticket was made from, changes nothing, and asks again with that.
    func create(_ request: Creation, now: Timestamp) throws -> Creation.Outcome

    /// Admits the guest, if there was none before. The same request of the same guest again gets the same answer; one with
    /// a ticket is told the room that its ticket was made from, changes nothing, and asks again with that.
    func accept(_ request: Acceptance, now: Timestamp) throws -> Acceptance.Outcome

    /// Tells the creator whether a guest has come. Without a ticket only the first request gets the answer.
    func check(code: String, by creator: Proof, now: Timestamp) throws -> Check

    /// The same, but does not count as seen.
    func watch(code: String, by creator: Proof, now: Timestamp) throws -> Check

    /// What became of these codes, without those that still wait for a guest.
    func news(of codes: [String], now: Timestamp) throws -> [String: CodeNews]

    /// Opens the room to one of its parties, and records its use.
    func admit(to room: String, _ proof: Proof, now: Timestamp) throws -> Admission

    func room(_ id: String) throws -> Room?

    func delete(room: String, _ proof: Proof) throws -> Deletion

    /// Removes everything of these devices that needs no ticket or whose ticket is among `tickets` (digests).
    func purge(devices: [String], tickets: [[UInt8]]) throws -> Removed

    /// Records the use of these rooms.
    func touch(rooms: [String], now: Timestamp) throws

    /// Removes expired codes, and rooms not used since `idleSince`. At most `limit` of each; if that many were removed,
    /// there may be more.
    func sweep(now: Timestamp, idleSince: Timestamp, limit: Int) throws -> Removed

    /// Decides on calls that came from clients, in their order.
    func decide(_ calls: [AskedCall]) -> [Result<RESTDecision, any Error>]

    /// How many calls it likes to decide on together.
    var callsAtOnce: Int { get }

    var counts: StoreCounts { get }
}

/// How much a store holds; exact after each sweep.
struct StoreCounts: Sendable, Equatable {
    var pendingRooms = 0
    var rooms = 0
}

/// A creator's request for a code.
struct Creation: Sendable {
    let code: String
    let creator: Party
    let expiresAt: Timestamp
    /// The most codes that are kept.
    let limit: Int
    /// Random bytes that are kept as long as the code.
    var nonce: [UInt8] = []

    enum Outcome: Sendable, Equatable {
        case created(expiresAt: Timestamp)
        /// This creator has reserved it before, with these random bytes.
        case repeated(nonce: [UInt8])
        case codeInUse
        case full
    }
}

/// A guest's wish to enter.
struct Acceptance: Sendable {
    let code: String
    let guest: Party
    /// The id for the new room, if one is made.
    let room: String
    /// How long the creator may take to see it, in milliseconds.
    let grace: Timestamp
    /// The most rooms that are kept.
    let limit: Int

    enum Outcome: Sendable, Equatable {
        /// With the nodes at which the code is watched, if there are several nodes.
        case accepted(room: String, watchers: [String])
        /// This guest has entered before: this room.
        case repeated(room: String)
        /// There is no such code, or it has expired.
        case unknown
        /// Another guest was faster.
        case conflict
        case full

        static func accepted(room: String) -> Outcome { .accepted(room: room, watchers: []) }
    }
}

/// The state of a creator's code.
enum Check: Sendable, Equatable {
    /// Nobody has come yet.
    case pending(expiresAt: Timestamp)
    case accepted(room: String)
    case unknown
    case forbidden
}

/// What became of a code that somebody waits with.
enum CodeNews: Sendable, Equatable {
    case accepted(room: String)
    /// There is no such code, or no longer.
    case gone
}

/// The result of joining a room.
enum Admission: Sendable, Equatable {
    case admitted(Side)
    case unknown
    case forbidden
}

/// The result of deleting a room.
enum Deletion: Sendable, Equatable {
    /// It is deleted, or never existed.
    case deleted(Removed)
    case forbidden
}

/// What a decision removed.
struct Removed: Sendable, Equatable {
    var rooms: [String] = []
    var codes: [String] = []

    var isEmpty: Bool { rooms.isEmpty && codes.isEmpty }
}

/// Milliseconds since 1970.
typealias Timestamp = Int64

/// Where codes and rooms live. Each call is one decision, which is kept whole or not at all and survives the process.
///
/// A store has one owner and may take its time; the server calls it on a thread of its own.
protocol RoomStore: AnyObject {
    /// What tells the present reservation of a code from earlier ones; nil if it is not reserved.
    func nonce(of code: String, now: Timestamp) throws -> [UInt8]?

    /// Reserves a code. The same request of the same party again gets the same answer.
    func create(_ request: Creation, now: Timestamp) throws -> Creation.Outcome

    /// Lets the guest in, if nobody was before. The same request of the same guest again gets the same answer.
    func accept(_ request: Acceptance, now: Timestamp) throws -> Acceptance.Outcome

    /// Tells the creator whether somebody has come. The first to ask without a ticket is also the last.
    func check(code: String, by creator: Proof, now: Timestamp) throws -> Check

    /// The same without counting as seen.
    func watch(code: String, by creator: Proof, now: Timestamp) throws -> Check

    /// Opens the room to one of its parties, and notes that it is in use.
    func admit(to room: String, _ proof: Proof, now: Timestamp) throws -> Admission

    func room(_ id: String) throws -> Room?

    func delete(room: String, _ proof: Proof) throws -> Deletion

    /// Forgets everything of these devices that needs no ticket or whose ticket is among `tickets` (digests).
    func purge(devices: [String], tickets: [[UInt8]]) throws -> Removed

    /// Notes that these rooms are in use.
    func touch(rooms: [String], now: Timestamp) throws

    /// Removes what is over: codes that have expired, and rooms not used since `idleSince`. At most so many of each at
    /// a time; if that many are removed, there may be more.
    func sweep(now: Timestamp, idleSince: Timestamp, limit: Int) throws -> Removed

    var counts: StoreCounts { get }
}

/// How much a store holds; exact after each sweep.
struct StoreCounts: Sendable, Equatable {
    var pendingRooms = 0
    var rooms = 0
}

/// A creator's wish for a code.
struct Creation: Sendable {
    let code: String
    let creator: Party
    let expiresAt: Timestamp
    /// More codes than this are not kept.
    let limit: Int
    /// Random bytes that are kept as long as the code is.
    var nonce: [UInt8] = []

    enum Outcome: Sendable, Equatable {
        case created(expiresAt: Timestamp)
        case codeInUse
        case full
    }
}

/// A guest's wish to enter.
struct Acceptance: Sendable {
    let code: String
    let guest: Party
    /// The id for the room, if it is made.
    let room: String
    /// How long the creator may take to see it, in milliseconds.
    let grace: Timestamp
    /// More rooms than this are not kept.
    let limit: Int

    enum Outcome: Sendable, Equatable {
        case accepted(room: String)
        /// There is no such code, or it has expired.
        case unknown
        /// Somebody else was faster.
        case conflict
        case full
    }
}

/// What a creator hears about its code.
enum Check: Sendable, Equatable {
    /// Nobody has come yet.
    case pending(expiresAt: Timestamp)
    case accepted(room: String)
    case unknown
    case forbidden
}

/// What somebody hears who wants into a room.
enum Admission: Sendable, Equatable {
    case admitted(Side)
    case unknown
    case forbidden
}

/// What became of a room that was to be deleted.
enum Deletion: Sendable, Equatable {
    /// It is gone, or was never there.
    case deleted(Removed)
    case forbidden
}

/// What a decision has removed.
struct Removed: Sendable, Equatable {
    var rooms: [String] = []
    var codes: [String] = []

    var isEmpty: Bool { rooms.isEmpty && codes.isEmpty }
}

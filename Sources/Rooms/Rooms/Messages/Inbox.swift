/// Which of the other side's messages have arrived, so that each is passed on once and in order.
package struct Inbox: Sendable {
    package enum Verdict: Sendable, Equatable {
        /// The next one: pass it on.
        case next
        /// Passed on before; report again what is stored.
        case duplicate
        /// An earlier one is missing; messages must be sent again from there.
        case gap
    }

    /// Everything up to here was passed on.
    private(set) package var taken: UInt64
    /// The highest number that was ever passed on, on this or an earlier connection.
    private var handedOn: UInt64
    /// Everything up to here is stored by the owner.
    private(set) package var stored: UInt64
    /// Later numbers that have nothing to store.
    private var blanks: Set<UInt64> = []

    /// The most messages that may be passed on before they are stored; further ones are requested again later.
    package static let window: UInt64 = 2048

    package init(stored: UInt64 = 0) {
        self.stored = stored
        taken = stored
        handedOn = stored
    }

    package func verdict(on sequence: UInt64) -> Verdict {
        guard sequence > taken else { return .duplicate }
        guard sequence - 1 == taken, taken - stored < Self.window else { return .gap }
        return .next
    }

    /// Passes the message of this number on, if it is the next one.
    @discardableResult
    package mutating func take(_ sequence: UInt64) -> Verdict {
        let verdict = verdict(on: sequence)
        if verdict == .next {
            taken = sequence
            handedOn = max(handedOn, sequence)
        }
        return verdict
    }

    /// The owner has stored everything up to a number, perhaps of messages from an earlier connection.
    /// - Returns: whether that is new.
    package mutating func store(upTo sequence: UInt64) -> Bool {
        let reached = min(sequence, handedOn)
        guard reached > stored else { return false }
        stored = reached
        taken = max(taken, stored)
        passBlanks()
        return true
    }

    /// This number has nothing to store: it counts as stored as soon as the earlier ones are.
    package mutating func leaveBlank(_ sequence: UInt64) {
        guard sequence > stored, sequence <= taken else { return }
        blanks.insert(sequence)
        passBlanks()
    }

    private mutating func passBlanks() {
        while blanks.remove(stored + 1) != nil { stored += 1 }
        if !blanks.isEmpty { blanks = blanks.filter { $0 > stored } }
    }

    /// The other side says that it has nothing before this number, so missing earlier messages will never come.
    package mutating func skip(to first: UInt64) -> Bool {
        guard first > taken + 1 else { return false }
        taken = first - 1
        stored = taken
        handedOn = max(handedOn, taken)
        blanks = []
        return true
    }

    /// A connection ended: messages that were passed on but not stored will be sent again.
    package mutating func rewind() {
        taken = stored
        blanks = []
    }
}

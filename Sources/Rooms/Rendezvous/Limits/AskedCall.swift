internal import Networking

/// A call, with all that a store needs to decide on it.
struct AskedCall: Sendable {
    let call: RESTCall
    /// What it counts as at all nodes together, besides a guess.
    var charge: SharedCharge
    /// What it counts as if it is a wrong guess.
    let guess: SharedCharge
    let context: DecisionContext

    init(_ call: RESTCall, from source: ClientAddress, _ charge: SharedCharge, _ context: DecisionContext) {
        self.call = call
        self.charge = charge
        self.context = context
        guess = call.namesGuessableCode ? SharedCharge(guessFrom: source, context.limits) : SharedCharge()
    }

    var counting: GuessCounting { !call.namesGuessableCode ? .never : call.isGuess ? .before : .after }

    func decision(_ refusal: SharedRefusal) -> RESTDecision {
        RESTDecision(refusing: .tooMany(refusal.code, retryAfter: refusal.seconds))
    }

    /// Decides on a call that names no code, or in a store that no other node shares.
    func decideAlone(_ store: any RoomStore) throws -> RESTDecision {
        do {
            try (store as? any SharedLimits)?.take(charge, now: context.now)
        } catch let refusal as SharedRefusal {
            return decision(refusal)
        }
        return try call.decide(store, context)
    }
}

extension RoomStore {
    var callsAtOnce: Int { 1 }

    func decide(_ calls: [AskedCall]) -> [Result<RESTDecision, any Error>] {
        calls.map { call in Result { try call.decideAlone(self) } }
    }
}

import AppCore

/// Effects that wait to be carried out: those of one room in the order of their numbers, those of different rooms and those of the
/// machine beside each other, so that no effect waits for the disk or network of another.
///
/// What concerns everything waits for all that was asked for before it, and what is asked for after it waits for it.
struct EffectQueues {
    /// Where an effect waits.
    fileprivate enum Place: Hashable {
        case machine
        case room(RoomID)
        /// What is on the disk waits for no network.
        case history
    }

    /// The last effect of each place.
    private var last: [Place: Task<Void, Never>] = [:]
    /// The last effect that concerned everything.
    private var barrier: Task<Void, Never>?

    /// Carries an effect out when its turn has come.
    mutating func add(_ effect: Effect, _ execute: @escaping @Sendable (Effect) async -> Void) {
        guard !effect.kind.concernsEverything else {
            let before = all
            last = [:]
            barrier = Task {
                for task in before { await task.value }
                await execute(effect)
            }
            return
        }
        let place = effect.kind.place
        let before = last[place] ?? barrier
        last[place] = Task {
            await before?.value
            await execute(effect)
        }
    }

    /// What is still to end.
    var all: [Task<Void, Never>] { last.values + [barrier].compactMap(\.self) }
}

extension Effect.Kind {
    /// Which effects this one goes between.
    fileprivate var place: EffectQueues.Place {
        switch self {
        case .revokeTrust(let address, _): .room(address.room)
        case .loadHistory, .findMessage, .findUnseen, .listReceived, .forgetHistory, .readForSummary: .history
        default: room.map { .room($0) } ?? .machine
        }
    }

    /// Whether no other effect may be under way beside it: it opens or ends what the others work with.
    fileprivate var concernsEverything: Bool {
        switch self {
        case .lock, .unlock, .setPassphrase, .eraseAll, .deleteRooms, .forgetSecrets: true
        default: false
        }
    }
}

package import AppCore

/// How the world treats effects of one type, instead of just answering them.
///
/// JSON: `{"effect":"create_room","outcome":"fail","failure":{"code":"server_unreachable"},"times":1}`.
package struct Rule: Sendable, Hashable, Codable {
    package enum Outcome: String, Sendable, Hashable, Codable, CaseIterable {
        /// As if there were no rule; later rules are not looked at.
        case answer
        case fail
        /// It is never answered, and is listed as lost.
        case lose
        /// Everything that answers it comes twice.
        case duplicate
        /// It is looked at only after `delayMs`.
        case delay
    }

    /// The type of the effects, as in `open_link`; `server` for all that need the rendezvous server, `*` for all.
    package var effect: String
    package var outcome: Outcome
    package var failure: Failure?
    /// Milliseconds of logical time before anything happens.
    package var delayMs: Int64?
    /// How often the rule holds; for ever without it.
    package var times: Int?
    /// From 0 to 1: how likely the rule is to hold.
    package var chance: Double?

    package init(
        _ effect: String, _ outcome: Outcome, failure: Failure? = nil, delayMs: Int64? = nil, times: Int? = nil,
        chance: Double? = nil
    ) {
        self.effect = effect
        self.outcome = outcome
        self.failure = failure
        self.delayMs = delayMs
        self.times = times
        self.chance = chance
    }

    private enum Key: CodingKey { case effect, outcome, failure, delayMs, times, chance }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        effect = try container.decode(String.self, forKey: .effect)
        outcome = try container.decode(Outcome.self, forKey: .outcome)
        failure = try container.decodeIfPresent(WrittenFailure.self, forKey: .failure)?.failure
        delayMs = try container.decodeIfPresent(Int64.self, forKey: .delayMs)
        times = try container.decodeIfPresent(Int.self, forKey: .times)
        chance = try container.decodeIfPresent(Double.self, forKey: .chance)
    }
}

extension Rule {
    func concerns(_ kind: Effect.Kind) -> Bool {
        switch effect {
        case "*": return true
        case "server":
            switch kind {
            case .createRoom, .joinRoom, .watchRoom, .checkRoom, .deleteRooms, .openLink, .meet, .revokeTrust:
                return true
            default: return false
            }
        default: return effect == Effect(id: EffectID(0), kind: kind).type
        }
    }
}

/// A failure in a rule. Only its code is required.
private struct WrittenFailure: Decodable {
    var code: Failure.Code
    var message: String?
    var retryable: Bool?
    var retryAfter: Int64?

    var failure: Failure { Failure(code, message ?? "", retryable: retryable ?? false, retryAfter: retryAfter) }
}

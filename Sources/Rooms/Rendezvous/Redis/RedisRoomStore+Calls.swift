internal import Redis

/// Calls that wait together are sent together: one write, and the answers in turn.
extension RedisRoomStore {
    /// What Redis reads at once. A longer run would keep the sockets' messages of this node waiting.
    static let callsLimit = 64

    var callsAtOnce: Int { Self.callsLimit }

    func decide(_ calls: [AskedCall]) -> [Result<RESTDecision, any Error>] {
        var results: [Int: Result<RESTDecision, any Error>] = [:]
        var steps = calls.indices.map { ($0, step(calls[$0])) }
        while !steps.isEmpty {
            var asked: [(Int, RedisQuestion<RedisStep>)] = []
            for (index, step) in steps {
                switch step {
                case .decided(let decision): results[index] = .success(decision)
                case .ask(let question): asked.append((index, question))
                case .one: results[index] = Result { try calls[index].decideAlone(self) }
                }
            }
            if asked.isEmpty { break }
            do {
                let answers = try ask(asked.map { ($0.1, calls[$0.0].context.now) })
                steps = []
                for ((index, _), answer) in zip(asked, answers) {
                    switch answer {
                    case .success(let step): steps.append((index, step))
                    case .failure(let refusal as SharedRefusal):
                        results[index] = .success(calls[index].decision(refusal))
                    case .failure(let error): results[index] = .failure(error)
                    }
                }
            } catch {
                for (index, _) in asked { results[index] = .failure(error) }
                break
            }
        }
        return calls.indices.map { results[$0] ?? .failure(RedisError(.lost, "Redis gave no answer")) }
    }

    /// What to ask for a call.
    private func step(_ asked: AskedCall) -> RedisStep {
        let context = asked.context
        switch asked.call {
        case .create: return create(asked, nonce: context.nonce, isAgain: false)
        case .accept: return accept(asked, room: context.newRoom, isAgain: false)
        case .check(let code, let proof):
            let limits = limitWords(asked.charge, asked)
            let question = checking(code, by: proof, isWatch: false, now: context.now, limits)
            return .ask(question.map { .decided(RESTCall.answer($0)) })
        default: return .one
        }
    }

    private func create(_ asked: AskedCall, nonce: [UInt8], isAgain: Bool) -> RedisStep {
        guard case .create(let code, let device, let seconds, let wantsTicket) = asked.call else { return .one }
        let (request, ticket) = asked.context.creation(code, device, seconds, wantsTicket, nonce: nonce)
        // The first question was counted.
        let limits = limitWords(isAgain ? SharedCharge() : asked.charge, asked)
        return .ask(
            creation(request, now: asked.context.now, limits).map { [self] outcome in
                guard case .repeated(let before) = outcome else { return .decided(RESTCall.answer(outcome, ticket)) }
                // Made anew between the two questions: that is for the client to try again.
                guard !isAgain else { throw RedisError(.refused, "the code changes too fast") }
                return create(asked, nonce: before, isAgain: true)
            })
    }

    private func accept(_ asked: AskedCall, room: String, isAgain: Bool) -> RedisStep {
        guard case .accept(let code, let device, let wantsTicket) = asked.call else { return .one }
        let (request, ticket) = asked.context.acceptance(code, device, wantsTicket, room: room)
        let limits = limitWords(isAgain ? SharedCharge() : asked.charge, asked)
        return .ask(
            acceptance(request, limits).map { [self] outcome in
                guard case .repeated(let before) = outcome else {
                    return .decided(RESTCall.answer(outcome, code, ticket))
                }
                guard !isAgain else { throw RedisError(.refused, "the code changes too fast") }
                return accept(asked, room: before, isAgain: true)
            })
    }
}

/// How far the decision on a call is.
private indirect enum RedisStep {
    case decided(RESTDecision)
    case ask(RedisQuestion<RedisStep>)
    /// It takes several steps, and is decided by itself.
    case one
}

internal import AgentProtocols
internal import Errors
internal import Wire

extension ACPAgent {
    /// Takes one line of the program. Waits while the reader of the events has enough to do, so that the program is held back.
    func receive(_ line: LineSplitter.Line) async {
        let bytes: [UInt8]
        switch line {
        case .complete(let all): bytes = all
        case .tooLong(let beginning): return await refuse(beginning, "the line is too long")
        }
        do throws(AgentProtocolError) {
            switch try JSONRPCMessage(bytes).content {
            case .request(let id, let method, let parameters): await receive(id, method, parameters)
            case .notification(let method, let parameters): try await receive(method, parameters)
            case .result(let id, let value): await receive(id, .success(value))
            case .failure(let id?, let failure): await receive(id, .failure(failure))
            case .failure(nil, _): await passOver("the agent could not read a message")
            }
        } catch {
            await refuse(bytes, error.message)
        }
    }

    /// A program that asked something waits for the answer, and its person for the program.
    private func refuse(_ line: [UInt8], _ why: String) async {
        if let request = JSONRPCBeginning(line).request {
            send(.failure(request, JSONRPCMessage.Failure(code: -32700, message: why)))
            await events.send(.remark(AgentText("What \(program.name) asked cannot be read, and was refused: \(why)")))
        }
        await passOver(why)
    }

    private func passOver(_ why: String) async {
        unreadable += 1
        guard unreadable <= AgentLimits.unreadable else {
            return await finish(AgentError(.notUnderstood, "\(program.name) does not keep to the protocol"))
        }
        await events.send(.unreadable(why))
    }

    // MARK: Notifications

    private func receive(_ method: String, _ parameters: JSONObject) async throws(AgentProtocolError) {
        guard let known = ACPMethod(rawValue: method) else { return await events.send(.other(AgentText.name(method))) }
        try known.check(parameters: parameters)
        switch known {
        case .sessionUpdate:
            // Programs have sessions of their own beside ours, of which we know nothing.
            guard parameters.string("sessionId") == session else { return await events.send(.other("session/update")) }
            guard let update = parameters["update"]?.object else { return await passOver("an update says nothing") }
            await tell(try ACPUpdate(update))
        case .cancelRequest: withdraw(parameters["requestId"])
        default: await events.send(.other(AgentText.name(method)))
        }
    }

    private func tell(_ update: ACPUpdate) async {
        if case .configOptions(let options) = update.kind { take(options: options) }
        let event = AgentEvent(update)
        // What stands in the session already is told as a whole, when it is known which part of it is new.
        if retelling != nil, event.isOfTurn {
            // Of a prompt its words say which one it is.
            if case .userText(let content) = update.kind, content.text == nil { return }
            retelling?.take(event)
        } else {
            await events.send(event)
        }
    }

    /// The agent does not want to know any more.
    private func withdraw(_ request: JSONValue?) {
        for (id, asked) in open where asked.request.json == request {
            open[id] = nil
            send(.failure(asked.request, JSONRPCMessage.Failure(code: -32800, message: "cancelled")))
            events.add(.permissionGone(id))
        }
    }

    // MARK: Requests

    private func receive(_ id: JSONRPCMessage.ID, _ method: String, _ parameters: JSONObject) async {
        guard method == ACPMethod.sessionRequestPermission.rawValue else {
            send(.failure(id, .methodNotFound))
            return await events.send(.other(AgentText.name(method)))
        }
        let request: ACPPermissionRequest
        do {
            request = try ACPPermissionRequest(parameters)
        } catch {
            send(.failure(id, .invalidParameters))
            await events.send(.remark(AgentText("What \(program.name) asked was refused: \(error.message)")))
            return await passOver(error.message)
        }
        guard request.sessionID == session, let turn, !turn.isCancelled, open.count < AgentLimits.openRequests,
            !open.values.contains(where: { $0.request == id })
        else {
            // After a cancellation the protocol wants this answer; and nobody may be asked outside of a turn.
            send(.result(id, ACPPermissionRequest.cancelled))
            return
        }
        let permission = AgentPermission(id: .init(number: nextPermission), request)
        nextPermission += 1
        open[permission.id] = (id, Set(request.options.map(\.id)))
        await events.send(.permission(permission))
    }

    // MARK: Answers

    private enum Reply {
        case success(JSONValue)
        case failure(JSONRPCMessage.Failure)
    }

    private func receive(_ id: JSONRPCMessage.ID, _ answer: Reply) async {
        if id == turn?.id { return await endTurn(answer) }
        guard let waiter = waiters[id] else { return await passOver("an answer belongs to no question") }
        switch answer {
        case .success(let value):
            do {
                let result = try waiter.method.check(result: value)
                // The next line may be about it already.
                if waiter.method == .sessionNew { session = result.string("sessionId") }
                resolve(id, .success(result))
            } catch {
                resolve(id, .failure(AgentError(.notUnderstood, "\(program.name): \(error.message)")))
            }
        case .failure(let failure): resolve(id, .failure(error(failure)))
        }
    }

    private func endTurn(_ answer: Reply) async {
        let stop: AgentStop
        switch answer {
        case .success(let value):
            guard let reason = try? ACPMethod.sessionPrompt.check(result: value).string("stopReason") else {
                stop = .failed(AgentError(.notUnderstood, "\(program.name) did not say why its turn ended"))
                break
            }
            stop = AgentStop(reason: reason)
        case .failure(let failure):
            stop = turn?.isCancelled == true ? .cancelled : .failed(error(failure))
            if turn?.isCancelled != true { await tellReason(failure) }
        }
        turn = nil
        for id in open.keys.sorted(by: { $0.number < $1.number }) { close(id, with: ACPPermissionRequest.cancelled) }
        await events.send(.turnEnded(stop))
    }

    /// Its words say what a person can do, and may hold anything: they are shown as what they are, and stay out of errors.
    private func tellReason(_ failure: JSONRPCMessage.Failure) async {
        guard !failure.message.isEmpty, program.variables?.stand(in: failure.message) != true else { return }
        await events.send(.remark(AgentText(failure.message, limit: AgentLimits.remarkBytes)))
    }

    private func error(_ failure: JSONRPCMessage.Failure) -> AgentError {
        failure.code == -32000
            ? AgentError(.unauthorized, "\(program.name) wants you to sign in with it first (alcove agent login)")
            : AgentError(.refused, "\(program.name) answered with error \(failure.code)")
    }
}

extension AgentStop {
    fileprivate init(reason: String) {
        self =
            switch reason {
            case "end_turn": .done
            case "max_tokens": .tokenLimit
            case "max_turn_requests": .requestLimit
            case "refusal": .refused
            case "cancelled": .cancelled
            default: .other(AgentText.name(reason))
            }
    }
}

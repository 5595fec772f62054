package import Wire

/// The agent's side of the Agent Client Protocol, version 1. A plain value: lines in, steps out.
///
/// It decides about order, limits, requests and their answers. What is done in a session, and what an agent is, is somebody else's.
package struct ACPServer: Sendable {
    /// What has to be done next.
    package enum Step: Sendable, Hashable {
        case send(JSONRPCMessage.Content)
        /// Do it, and say so with ``finish(_:_:)``.
        case perform(JSONRPCMessage.ID, ACPRequest)
        /// The turn of a session is to end.
        case cancel(session: String)
        /// A request is not wanted any more. It is answered all the same.
        case withdraw(JSONRPCMessage.ID)
        /// What was asked under this number is answered.
        case answered(Int, ACPPermissionRequest.Answer)
        /// The client sends nothing that can be read.
        case giveUp
    }

    private let about: JSONObject
    private let takesPictures: Bool
    private var isGreeted = false
    private var running: Set<JSONRPCMessage.ID> = []
    /// Numbers under which the client was asked and has not answered.
    private var asked: Set<Int> = []
    private var lastAsked = 0
    private var unreadable = 0

    /// - Parameters:
    ///   - about: the name and the version of this program.
    ///   - takesPictures: whether prompts may have pictures.
    package init(about: JSONObject, takesPictures: Bool) { (self.about, self.takesPictures) = (about, takesPictures) }

    /// Takes one line of the client.
    package mutating func receive(_ line: LineSplitter.Line) -> [Step] {
        let bytes: [UInt8]
        switch line {
        case .complete(let all): bytes = all
        case .tooLong(let beginning):
            return refuse(.unreadable.saying("the line is too long"), JSONRPCBeginning(beginning).request)
        }
        let object: JSONObject
        do throws(AgentProtocolError) { object = try BoundedJSON.object(bytes) } catch {
            return refuse(.unreadable.saying(error.message), JSONRPCBeginning(bytes).request)
        }
        guard let message = try? JSONRPCMessage(object: object) else {
            // An answer is not answered.
            return refuse(.invalidRequest, object.has("method") ? JSONRPCMessage.ID(object["id"]) : nil)
        }
        switch message.content {
        case .request(let id, let method, let parameters): return answer(id, method, parameters)
        case .notification(let method, let parameters): return hear(method, parameters)
        case .result(let id, let result): return take(id, ACPPermissionRequest.Answer(result))
        case .failure(let id, _): return id.map { take($0, .failed) } ?? []
        }
    }

    /// The answer to a request.
    package mutating func finish(
        _ id: JSONRPCMessage.ID, _ result: Result<ACPAnswer, JSONRPCMessage.Failure>
    ) -> [Step] {
        guard running.remove(id) != nil else { return [] }
        switch result {
        case .success(let answer): return [.send(.result(id, answer.json))]
        case .failure(let failure): return [.send(.failure(id, failure))]
        }
    }

    /// Tells what happened in a session.
    package func tell(_ session: String, _ update: ACPUpdate) -> Step {
        .send(
            .notification(
                method: ACPMethod.sessionUpdate.rawValue,
                parameters: ["sessionId": .string(session), "update": .object(update.object)]))
    }

    /// Asks the person there whether a call may be done.
    /// - Returns: the number of the request, which ``Step/answered(_:_:)`` names.
    package mutating func ask(
        _ session: String, _ call: ACPToolCall, _ options: [ACPPermissionRequest.Option]
    ) -> (number: Int, step: Step) {
        lastAsked += 1
        asked.insert(lastAsked)
        let parameters = ACPPermissionRequest.parameters(session, call, options)
        let method = ACPMethod.sessionRequestPermission.rawValue
        return (lastAsked, .send(.request(Self.id(lastAsked), method: method, parameters: parameters)))
    }

    /// Takes back what was asked, because it is decided. An answer that is on its way is not heard any more.
    package mutating func withdraw(_ number: Int) -> [Step] {
        guard asked.remove(number) != nil else { return [] }
        return [
            .send(
                .notification(
                    method: ACPMethod.cancelRequest.rawValue, parameters: ["requestId": Self.id(number).json]))
        ]
    }

    private static func id(_ number: Int) -> JSONRPCMessage.ID { .number(String(number)) }

    // MARK: Messages

    private mutating func refuse(_ failure: JSONRPCMessage.Failure, _ id: JSONRPCMessage.ID? = nil) -> [Step] {
        unreadable += 1
        return unreadable < ACPServerLimits.unreadable ? [.send(.failure(id, failure))] : [.giveUp]
    }

    private func hear(_ method: String, _ parameters: JSONObject) -> [Step] {
        guard let method = ACPMethod(rawValue: method), (try? method.check(parameters: parameters)) != nil else {
            return []
        }
        switch method {
        case .sessionCancel: return [.cancel(session: parameters.string("sessionId") ?? "")]
        case .cancelRequest:
            guard let id = JSONRPCMessage.ID(parameters["requestId"]), running.contains(id) else { return [] }
            return [.withdraw(id)]
        default: return []
        }
    }

    private mutating func take(_ id: JSONRPCMessage.ID, _ answer: ACPPermissionRequest.Answer) -> [Step] {
        guard case .number(let spelling) = id, let number = Int(spelling), asked.remove(number) != nil else {
            return []
        }
        return [.answered(number, answer)]
    }

    private mutating func answer(_ id: JSONRPCMessage.ID, _ name: String, _ parameters: JSONObject) -> [Step] {
        guard !running.contains(id) else { return [.send(.failure(id, .invalidRequest))] }
        guard let method = ACPMethod(rawValue: name) else { return [.send(.failure(id, .methodNotFound))] }
        do throws(AgentProtocolError) {
            switch method {
            case .initialize:
                try method.check(parameters: parameters)
                guard !isGreeted else { return [.send(.failure(id, .invalidRequest))] }
                isGreeted = true
                return [.send(.result(id, greeting))]
            case .authenticate:
                return [.send(.failure(id, .invalidParameters.saying("there is nothing to sign in to")))]
            default:
                guard let request = try ACPRequest(method, parameters) else {
                    return [.send(.failure(id, .methodNotFound))]
                }
                guard isGreeted else {
                    return [.send(.failure(id, .invalidRequest.saying("initialize comes first")))]
                }
                guard running.count < ACPServerLimits.requests else {
                    return [.send(.failure(id, .invalidRequest.saying("too many requests wait for their answers")))]
                }
                running.insert(id)
                return [.perform(id, request)]
            }
        } catch {
            return [.send(.failure(id, .invalidParameters.saying(error.message)))]
        }
    }

    /// Whatever version the client asks for, this is the one that there is.
    private var greeting: JSONValue {
        [
            "protocolVersion": .number(String(ACPMethod.version)),
            "agentCapabilities": [
                "loadSession": true,
                "promptCapabilities": ["image": .bool(takesPictures), "audio": false, "embeddedContext": true],
                "mcpCapabilities": ["http": false, "sse": false],
                "sessionCapabilities": ["list": [:], "delete": [:], "resume": [:], "close": [:]],
            ],
            "authMethods": [], "agentInfo": .object(about),
        ]
    }
}

package import Wire

/// One side of the Model Context Protocol: a server that offers tools and nothing else. A plain value: lines in, steps out.
///
/// It decides about versions, order, limits and cancellations. What a tool does, and whether the client may have it done, is somebody else's.
package struct MCPServer: Sendable {
    /// What has to be done next.
    package enum Step: Sendable, Hashable {
        case send(JSONRPCMessage.Content)
        /// Do it, and say so with ``finish(_:_:)``.
        case call(JSONRPCMessage.ID, tool: String, arguments: JSONObject)
        /// It is not wanted any more, and its end is told to nobody.
        case cancel(JSONRPCMessage.ID)
        /// The client sends nothing that can be read.
        case giveUp
    }

    /// How a client calls itself. Anybody can call themselves anything.
    package private(set) var client: String?
    package private(set) var version: MCPVersion?

    private let about: JSONObject
    private let instructions: String
    private let tools: [MCPTool]
    /// The names that the client knows of; nil before it has asked.
    private var listed: Set<String>?
    private var running: Set<JSONRPCMessage.ID> = []
    /// Those of them that are not wanted any more, and have not ended yet. Their ids stay taken: else the end of one could be told as that of another.
    private var cancelled: Set<JSONRPCMessage.ID> = []
    private var unreadable = 0
    private var rate: CallRate

    /// - Parameters:
    ///   - about: the name and the version of this program.
    ///   - instructions: what a model should know before it uses the tools.
    ///   - tools: all that there are, granted or not.
    package init(about: JSONObject, instructions: String, tools: [MCPTool], now: ContinuousClock.Instant) {
        (self.about, self.instructions, self.tools) = (about, instructions, tools)
        rate = CallRate(now)
    }

    /// Takes one line of the client.
    /// - Parameter offered: the names of the tools that the client may use now.
    package mutating func receive(
        _ line: LineSplitter.Line, offered: Set<String>, now: ContinuousClock.Instant
    ) -> [Step] {
        let bytes: [UInt8]
        switch line {
        case .complete(let all): bytes = all
        case .tooLong(let beginning): return refuse("the line is too long", JSONRPCBeginning(beginning).request)
        }
        let steps = offer(offered)
        do throws(AgentProtocolError) {
            switch try BoundedJSON.value(bytes) {
            case .object(let object):
                return steps + receive(try JSONRPCMessage(object: object), offered, now)
            case .array(let elements)
            where version?.hasBatches == true && (1...MCPLimits.batch).contains(elements.count):
                return elements.reduce(steps) { $0 + receive(element: $1, offered, now) }
            default: return steps + refuse(.invalidRequest)
            }
        } catch {
            return steps + refuse(error.message, JSONRPCBeginning(bytes).request)
        }
    }

    /// Tells the client if it can use other tools than it knows of.
    package mutating func offer(_ names: Set<String>) -> [Step] {
        guard let known = listed, known != names else { return [] }
        listed = names
        return [.send(.notification(method: MCPMethod.toolsListChanged.rawValue, parameters: [:]))]
    }

    /// The answer to a call.
    /// - Returns: nothing if it is not wanted any more.
    package mutating func finish(_ id: JSONRPCMessage.ID, _ result: MCPResult) -> [Step] {
        let isWanted = running.remove(id) != nil && cancelled.remove(id) == nil
        return isWanted ? [.send(.result(id, result.json))] : []
    }

    /// Whether calls are under way.
    package var isBusy: Bool { !running.isEmpty }

    // MARK: Messages

    private mutating func receive(
        element: JSONValue, _ offered: Set<String>, _ now: ContinuousClock.Instant
    ) -> [Step] {
        guard let object = element.object, let message = try? JSONRPCMessage(object: object) else {
            return refuse(.invalidRequest)
        }
        return receive(message, offered, now)
    }

    private mutating func refuse(_ words: String, _ id: JSONRPCMessage.ID?) -> [Step] {
        refuse(.unreadable.saying(words), id)
    }

    private mutating func refuse(_ failure: JSONRPCMessage.Failure, _ id: JSONRPCMessage.ID? = nil) -> [Step] {
        unreadable += 1
        return unreadable < MCPLimits.unreadable ? [.send(.failure(id, failure))] : [.giveUp]
    }

    private mutating func receive(
        _ message: JSONRPCMessage, _ offered: Set<String>, _ now: ContinuousClock.Instant
    ) -> [Step] {
        switch message.content {
        case .request(let id, let method, let parameters):
            answer(id, method, parameters, offered, now)
        case .notification(MCPMethod.cancelled.rawValue, let parameters): cancel(parameters)
        // Nothing was asked of the client, and it has nothing else to tell.
        case .notification, .result, .failure: []
        }
    }

    private mutating func cancel(_ parameters: JSONObject) -> [Step] {
        guard let id = JSONRPCMessage.ID(parameters["requestId"]), running.contains(id),
            cancelled.insert(id).inserted
        else { return [] }
        return [.cancel(id)]
    }

    private mutating func answer(
        _ id: JSONRPCMessage.ID, _ name: String, _ parameters: JSONObject, _ offered: Set<String>,
        _ now: ContinuousClock.Instant
    ) -> [Step] {
        guard !running.contains(id) else { return [.send(.failure(id, .invalidRequest))] }
        let method = MCPMethod(rawValue: name)
        if let method, (try? method.check(parameters: parameters)) == nil {
            return [.send(.failure(id, .invalidParameters))]
        }
        switch method {
        case .ping: return [.send(.result(id, [:]))]
        case .initialize where version == nil: return [.send(.result(id, greet(parameters)))]
        case .toolsList where version != nil:
            listed = offered
            let granted = tools.filter { offered.contains($0.name) }.map(\.json)
            return [.send(.result(id, ["tools": .array(granted)]))]
        case .toolsCall where version != nil: return call(id, parameters, now)
        case .initialize, .toolsList, .toolsCall: return [.send(.failure(id, .invalidRequest))]
        default: return [.send(.failure(id, .methodNotFound))]
        }
    }

    private mutating func greet(_ parameters: JSONObject) -> JSONValue {
        let version = MCPVersion(asked: parameters.string("protocolVersion") ?? "")
        self.version = version
        let words = ["name", "version"].compactMap { parameters["clientInfo"]?.object?.string($0) }
        client = words.joined(separator: " ").beginning(bytes: MCPLimits.nameBytes)
        return [
            "protocolVersion": .string(version.rawValue), "capabilities": ["tools": ["listChanged": true]],
            "serverInfo": .object(about), "instructions": .string(instructions),
        ]
    }

    private mutating func call(
        _ id: JSONRPCMessage.ID, _ parameters: JSONObject, _ now: ContinuousClock.Instant
    ) -> [Step] {
        guard let name = parameters.string("name"), tools.contains(where: { $0.name == name }),
            !parameters.has("arguments") || parameters["arguments"]?.object != nil
        else { return [.send(.failure(id, .invalidParameters))] }
        guard running.count < MCPLimits.calls, rate.take(now) else {
            return [
                .send(.result(id, MCPResult.failed("these are too many calls; wait a moment, and call again").json))
            ]
        }
        running.insert(id)
        return [.call(id, tool: name, arguments: parameters["arguments"]?.object ?? [:])]
    }
}

/// How fast calls may come.
private struct CallRate {
    private var left = Double(MCPLimits.burst)
    private var counted: ContinuousClock.Instant

    init(_ now: ContinuousClock.Instant) { counted = now }

    mutating func take(_ now: ContinuousClock.Instant) -> Bool {
        left = min(Double(MCPLimits.burst), left + (now - counted) / MCPLimits.pause)
        counted = now
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}

package import Wire

/// One message of JSON-RPC 2.0. It keeps everything that came, so that writing it gives what was read.
package struct JSONRPCMessage: Sendable, Hashable {
    /// What ties an answer to its request.
    package enum ID: Sendable, Hashable {
        /// As it was spelled.
        case number(String)
        case string(String)

        init?(_ value: JSONValue?) {
            switch value {
            case .number(let spelling): self = .number(spelling)
            case .string(let text): self = .string(text)
            default: return nil
            }
        }

        /// As it stands in a message.
        package var json: JSONValue {
            switch self {
            case .number(let spelling): .number(spelling)
            case .string(let text): .string(text)
            }
        }
    }

    /// What the other side says went wrong.
    package struct Failure: Error, Sendable, Hashable {
        /// The code; -32768 to -32000 belong to JSON-RPC itself.
        package var code: Int
        /// The other side's words: show them escaped.
        package var message: String

        package init(code: Int, message: String) { (self.code, self.message) = (code, message) }

        /// The method does not exist, or was not offered.
        package static let methodNotFound = Failure(code: -32601, message: "method not found")
        /// The line is not JSON, or more of it than is read.
        package static let unreadable = Failure(code: -32700, message: "the line cannot be read as JSON")
        /// It is JSON, and no message that fits here.
        package static let invalidRequest = Failure(code: -32600, message: "invalid request")
        /// The parameters are not those of the method.
        package static let invalidParameters = Failure(code: -32602, message: "invalid parameters")

        /// The same with words of its own.
        package func saying(_ message: String) -> Failure { Failure(code: code, message: message) }
    }

    /// What the message is.
    package enum Content: Sendable, Hashable {
        case request(ID, method: String, parameters: JSONObject)
        case notification(method: String, parameters: JSONObject)
        case result(ID, JSONValue)
        /// The id is nil if the other side could not read the request.
        case failure(ID?, Failure)
    }

    package let content: Content
    /// The whole message, with the members that are not known here.
    package let object: JSONObject

    /// Reads one line.
    package init(_ line: some Collection<UInt8>) throws(AgentProtocolError) {
        try self.init(object: BoundedJSON.object(line))
    }

    /// Takes a message that was read as JSON.
    init(object: JSONObject) throws(AgentProtocolError) {
        guard object["jsonrpc"] == "2.0", let content = Self.content(of: object) else {
            throw AgentProtocolError(.malformed, "the message is not one of JSON-RPC 2.0")
        }
        (self.content, self.object) = (content, object)
    }

    /// A message of our own.
    package init(_ content: Content) {
        var object: JSONObject = ["jsonrpc": "2.0"]
        switch content {
        case .request(let id, let method, let parameters):
            object.append("id", id.json)
            object.append("method", .string(method))
            object.append("params", .object(parameters))
        case .notification(let method, let parameters):
            object.append("method", .string(method))
            object.append("params", .object(parameters))
        case .result(let id, let value):
            object.append("id", id.json)
            object.append("result", value)
        case .failure(let id, let failure):
            object.append("id", id?.json ?? .null)
            object.append(
                "error", .object(["code": .number(String(failure.code)), "message": .string(failure.message)]))
        }
        (self.content, self.object) = (content, object)
    }

    /// The message and the end of its line.
    package var line: [UInt8] {
        var bytes: [UInt8] = []
        JSONValue.object(object).write(to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    private static func content(of object: JSONObject) -> Content? {
        let id = ID(object["id"])
        if let method = object["method"] {
            guard let method = method.string, !object.has("result"), !object.has("error"),
                let parameters = parameters(of: object)
            else { return nil }
            if let id { return .request(id, method: method, parameters: parameters) }
            return object["id"] == nil ? .notification(method: method, parameters: parameters) : nil
        }
        if let error = object["error"], error != .null {
            guard let error = error.object, case .number(let spelling)? = error["code"], let code = Int(spelling),
                let message = error.string("message"), !object.has("result")
            else { return nil }
            return .failure(id, Failure(code: code, message: message))
        }
        guard let id, let result = object["result"] else { return nil }
        return .result(id, result)
    }

    /// Parameters by name; protocols of agents have no others.
    private static func parameters(of object: JSONObject) -> JSONObject? {
        switch object["params"] {
        case nil, .null?: [:]
        case .object(let parameters)?: parameters
        default: nil
        }
    }
}

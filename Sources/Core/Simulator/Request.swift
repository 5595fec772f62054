package import AppCore

/// One line that a client of the simulator writes: `{"id":1,"method":"tap","params":{"node_id":"rooms.create"}}`.
package struct Request: Sendable, Hashable, Codable {
    /// Comes back in the response; any JSON.
    package var id: JSONValue
    package var method: String
    package var params: JSONValue

    package init(id: JSONValue = .null, method: String, params: JSONValue = .object([:])) {
        self.id = id
        self.method = method
        self.params = params
    }

    private enum Key: CodingKey { case id, method, params }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        id = try container.decodeIfPresent(JSONValue.self, forKey: .id) ?? .null
        method = try container.decode(String.self, forKey: .method)
        params = try container.decodeIfPresent(JSONValue.self, forKey: .params) ?? .object([:])
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        try container.encode(method, forKey: .method)
        try container.encode(params, forKey: .params)
    }
}

/// The line that answers a ``Request``: `{"id":1,"ok":true,"result":…}`, or
/// `{"id":1,"ok":false,"result":null,"error":"…","code":"unknown_node"}`.
package struct Response: Sendable, Hashable, Codable {
    package var id: JSONValue
    package var ok: Bool
    package var result: JSONValue?
    /// A sentence that says what to do next.
    package var error: String?
    /// The reason for programs: see ``SimulatorError/Code``.
    package var code: String?

    package init(id: JSONValue, result: JSONValue) {
        self.id = id
        ok = true
        self.result = result
    }

    package init(id: JSONValue, _ error: SimulatorError) {
        self.id = id
        ok = false
        self.error = error.message
        code = error.code.rawValue
    }

    private enum Key: CodingKey { case id, ok, result, error, code }

    /// A response always has a `result`: clients of the earlier simulator read it before they look at `ok`.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        try container.encode(ok, forKey: .ok)
        try container.encode(result, forKey: .result)
        try container.encodeIfPresent(error, forKey: .error)
        try container.encodeIfPresent(code, forKey: .code)
    }
}

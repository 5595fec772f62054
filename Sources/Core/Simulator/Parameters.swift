import AppCore

/// The parameters of a request, with errors that name what is wrong.
struct Parameters {
    let method: String
    private let values: [String: JSONValue]

    /// - Throws: ``SimulatorError`` if the parameters are not an object. None at all are an empty object.
    init(_ request: Request) throws(SimulatorError) {
        method = request.method
        switch request.params {
        case .object(let values): self.values = values
        case .null: values = [:]
        default: throw SimulatorError(.badRequest, "\(request.method): params must be an object.")
        }
    }

    subscript(key: String) -> JSONValue? {
        if case .null? = values[key] { return nil }
        return values[key]
    }

    private func wrong(_ key: String, _ kind: String) -> SimulatorError {
        let problem = self[key] == nil ? "is missing; it is" : "must be"
        return SimulatorError(.badRequest, "\(method): \"\(key)\" \(problem) \(kind).")
    }

    private func find<Value>(_ key: String, _ kind: String, _ read: (JSONValue) -> Value?) throws(SimulatorError)
        -> Value?
    {
        guard let value = self[key] else { return nil }
        guard let result = read(value) else { throw wrong(key, kind) }
        return result
    }

    /// The view that the request is about: `view`, or the main one.
    func view() throws(SimulatorError) -> ViewID {
        guard let name = try text("view") else { return .main }
        guard let view = try? JSON.decode(ViewID.self, from: JSON.encode(name)) else {
            throw SimulatorError(.badRequest, "\(method): \"view\" is 1 to 128 letters, digits, '-', '_', '.' or '~'.")
        }
        return view
    }

    func text(_ key: String) throws(SimulatorError) -> String? { try find(key, "a text", \.string) }
    func flag(_ key: String) throws(SimulatorError) -> Bool? { try find(key, "true or false", \.bool) }
    func whole(_ key: String) throws(SimulatorError) -> Int64? { try find(key, "a whole number", \.integer) }
    func number(_ key: String) throws(SimulatorError) -> Double? { try find(key, "a number", \.number) }

    func needText(_ key: String) throws(SimulatorError) -> String {
        guard let text = try text(key) else { throw wrong(key, "a text") }
        return text
    }

    func needNumber(_ key: String) throws(SimulatorError) -> Double {
        guard let number = try number(key) else { throw wrong(key, "a number") }
        return number
    }

    func needWhole(_ key: String, in range: ClosedRange<Int64>) throws(SimulatorError) -> Int64 {
        guard let number = try whole(key, in: range) else { throw wrong(key, "a whole number") }
        return number
    }

    func whole(_ key: String, in range: ClosedRange<Int64>) throws(SimulatorError) -> Int64? {
        guard let number = try whole(key) else { return nil }
        guard range.contains(number) else {
            throw SimulatorError(
                .badRequest, "\(method): \"\(key)\" must be from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    func need(_ key: String) throws(SimulatorError) -> JSONValue {
        guard let value = self[key] else { throw wrong(key, "JSON") }
        return value
    }

    /// The parameters as a value of a type.
    func decode<Value: Decodable>(_ type: Value.Type, _ key: String? = nil) throws -> Value {
        let json = try key.map { try need($0) } ?? .object(values)
        do { return try JSON.decode(type, from: JSON.encode(json)) } catch let error as DecodingError {
            throw SimulatorError(.badRequest, key.map { "\(method): \($0)" } ?? method, error)
        }
    }
}

extension JSONValue {
    /// The JSON as text, keys sorted.
    var text: String { (try? JSON.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null" }
}

import AppCore

/// One thing that a running simulator can be asked from the command line: a method, and how the words become its
/// parameters.
struct SimulatorVerb: Sendable {
    let name: String
    let summary: String
    /// The words after the name, as the usage line shows them; in brackets if they may be left out.
    let operands: [String]
    let options: [Arguments.Option]
    let example: String
    let request: @Sendable (Words) throws -> SimulatorRequest

    init(
        _ name: String, takes operands: [String] = [], options: [Arguments.Option] = [], example: String? = nil,
        _ summary: String, method: String? = nil,
        _ parameters: @escaping @Sendable (Words) throws -> [String: JSONValue]
    ) {
        let method = method ?? name.replacing("-", with: "_")
        self.name = name
        self.summary = summary
        self.operands = operands
        self.options = options
        self.example = "alcove sim " + (example ?? ([name] + operands).joined(separator: " "))
        request = { SimulatorRequest(method: method, parameters: try parameters($0)) }
    }

    /// The words of a call: what stands in the place of the operands, and the options.
    struct Words {
        let operands: [String]
        let arguments: Arguments

        subscript(place: Int) -> String { operands.indices.contains(place) ? operands[place] : "" }

        /// A number at a place.
        func number(_ place: Int) throws -> JSONValue {
            if let whole = Int64(self[place]) { return .integer(whole) }
            guard let number = Double(self[place]), number.isFinite else {
                throw UsageError("\"\(self[place])\" is not a number")
            }
            return .number(number)
        }

        /// JSON at a place.
        func json(_ place: Int) throws -> JSONValue {
            do { return try JSON.decode(JSONValue.self, from: self[place].utf8) } catch {
                throw UsageError("\"\(self[place].prefix(60))\" is not JSON")
            }
        }

        /// The options of these names that were given, under the keys of the protocol.
        func given(texts: [String] = [], numbers: [String] = [], flags: [String] = []) throws -> [String: JSONValue] {
            var result: [String: JSONValue] = [:]
            for name in texts { if let text = arguments[name] { result[key(name)] = .string(text) } }
            for name in numbers {
                guard let text = arguments[name] else { continue }
                guard let number = Int64(text) else { throw UsageError("--\(name) takes a whole number") }
                result[key(name)] = .integer(number)
            }
            for name in flags {
                guard let text = arguments[name] else { continue }
                guard let flag = ["true": true, "false": false][text] else {
                    throw UsageError("--\(name) takes true or false")
                }
                result[key(name)] = .bool(flag)
            }
            return result
        }

        private func key(_ name: String) -> String { name.replacing("-", with: "_") }
    }
}

/// What goes over the socket.
struct SimulatorRequest: Sendable {
    let method: String
    let parameters: [String: JSONValue]
}

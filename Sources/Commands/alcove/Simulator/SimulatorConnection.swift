import AppCore
import Foundation
import Networking

/// A connection to a running simulator.
struct SimulatorConnection {
    static let options: [Arguments.Option] = [
        .value("socket", "PATH", "where the simulator listens (default alcove-sim.sock in XDG_RUNTIME_DIR)"),
        .flag("json", "print the result as one line of JSON"),
    ]

    /// `alcove-sim.sock` in the folder that the system gives this user for such things, else in the temporary one.
    static var standardPath: String {
        let folder = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"].flatMap { $0.isEmpty ? nil : $0 }
        return folder.map { $0 + "/alcove-sim.sock" } ?? NSTemporaryDirectory() + "alcove-sim-\(getuid()).sock"
    }

    static func path(_ arguments: Arguments) -> String { arguments["socket"] ?? standardPath }

    private let client: LineClient
    private let path: String

    /// - Throws: ``CommandFailure`` if no simulator listens there.
    init(path: String) throws {
        self.path = path
        do { client = try LineClient(path: path) } catch {
            throw CommandFailure("no simulator listens at \(path); begin one with: alcove sim start", .unavailable)
        }
    }

    /// Asks, and returns the `result`.
    /// - Throws: ``CommandFailure`` with the simulator's own words if it refused or an assertion did not hold.
    func ask(_ method: String, _ parameters: [String: JSONValue] = [:]) async throws -> JSONValue {
        let wait = parameters["timeout_ms"]?.integer ?? 0
        let line = try JSON.encode(
            JSONValue.object(["id": .integer(1), "method": .string(method), "params": .object(parameters)]))
        let answer: JSONValue
        do {
            let bytes = try await client.ask(line, within: .seconds(600) + .milliseconds(min(max(wait, 0), 86_400_000)))
            answer = try JSON.decode(JSONValue.self, from: bytes)
        } catch let error as NetworkingError {
            throw CommandFailure("the simulator at \(path): \(error.message)", .temporaryFailure)
        }
        guard answer["ok"]?.bool == true else {
            throw CommandFailure(answer["error"]?.string ?? "the simulator refused without a word", .failure)
        }
        return answer["result"] ?? .null
    }
}

extension Terminal {
    /// Prints JSON for a person, or on one line.
    static func print(_ value: JSONValue, onOneLine: Bool) throws {
        if case .string(let text) = value, !onOneLine { return print(.text(text)) }
        if onOneLine { return try print(json: value) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        print(.json(String(decoding: try encoder.encode(value), as: UTF8.self)))
    }
}

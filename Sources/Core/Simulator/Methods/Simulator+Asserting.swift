import AppCore
import Catalogues
import Layout

// Methods that hold or fail.

extension Simulator {
    static let asserting: [String: Method] = [
        "assert_screen": { simulator, parameters in
            let (wanted, screen) = (try parameters.needText("screen"), try simulator.screen())
            return try assert(
                screen == wanted, "The screen is \(screen), not \(wanted).", ["screen": .string(screen)])
        },
        "assert_text": { simulator, parameters in
            let text = try parameters.needText("contains")
            return try assert(
                try simulator.shows(text), "Nothing contains \"\(text)\".", ["contains": .string(text)])
        },
        "assert_node": { simulator, parameters in try simulator.assertNode(parameters) },
        "assert_no_error": { simulator, _ in try simulator.assertNoError() },
        "assert_transition": { simulator, parameters in
            try simulator.assertLogged("transition", parameters) { seq in
                try simulator.simulation.transition(seq).map { [$0] } ?? []
            } content: {
                $0["action"]
            }
        },
        "assert_effect": { simulator, parameters in
            try simulator.assertLogged("effect", parameters) { seq in
                try simulator.simulation.effectRecords(of: seq)
            } content: {
                $0["effect"]
            }
        },
    ]

    /// - Parameter found: what the assertion held for, which the answer says again.
    static func assert(
        _ holds: Bool, _ complaint: @autoclosure () -> String, _ found: [String: JSONValue] = [:]
    ) throws(SimulatorError) -> JSONValue {
        guard holds else { throw SimulatorError(.assertionFailed, complaint()) }
        return .object(found.merging(["passed": .bool(true)]) { _, new in new })
    }

    /// Whether the state or the screen contains a text.
    func shows(_ text: String) throws -> Bool {
        let state = try jcode.map { try JSON.encode($0.state) } ?? simulation.core.state
        if String(decoding: state, as: UTF8.self).contains(text) { return true }
        return try root().all.contains { node in
            [node.label, node.value ?? "", node.detail ?? ""].contains { $0.contains(text) }
        }
    }

    private func assertNode(_ parameters: Parameters) throws -> JSONValue {
        let id = try parameters.needText("node_id")
        let layout = try layout()
        let isVisible = layout[id] != nil
        if try parameters.flag("visible") == false {
            let node = isVisible ? .null : try PlacedTree(tree()).find(id) ?? .null
            return try Self.assert(!isVisible, "\(id) is visible.", ["node": node])
        }
        let found = try find(id, in: layout)
        var wrong: [String] = []
        func compare(_ name: String, _ actual: String?, _ expected: String?) {
            guard let expected, actual != expected else { return }
            wrong.append("\(name) is \(actual.map { "\"\($0)\"" } ?? "nothing"), not \"\(expected)\"")
        }
        if try parameters.flag("visible") == true, !isVisible { wrong.append("it is not visible") }
        if let enabled = try parameters.flag("enabled"), enabled != found.isEnabled {
            wrong.append("it is \(found.isEnabled ? "enabled" : "disabled")")
        }
        compare("role", found.role, try parameters.text("role"))
        compare("label", found.label, try parameters.text("label"))
        compare("value", found.value, try parameters.text("value"))
        return try Self.assert(
            wrong.isEmpty, "\(id): \(wrong.joined(separator: ", ")).", ["node": try node(id)])
    }

    /// Fails if the state or the screen shows a problem.
    private func assertNoError() throws -> JSONValue {
        let problems = try state()["notices"]?.array?.filter { $0["kind"]?.string == "problem" } ?? []
        let banner = try tree.find("chat.problem")?.label
        let told = problems.compactMap { $0["text"].flatMap { try? JSON.decode(Words.self, from: JSON.encode($0)) } }
        let texts = (told + [banner].compactMap(\.self)).map(\.english)
        return try Self.assert(
            texts.isEmpty, "There is an error: \(texts.joined(separator: " "))", ["ok": .bool(true)])
    }

    /// Whether the log has an entry of a type that contains a text.
    private func assertLogged(
        _ what: String, _ parameters: Parameters, _ records: (Int) throws -> [JSONValue],
        content: (JSONValue) -> JSONValue?
    ) throws -> JSONValue {
        let (type, text) = (try parameters.text("type"), try parameters.text("contains"))
        for seq in simulation.log.numbers.reversed() {
            let record = try records(seq).first { record in
                let entry = content(record) ?? .null
                return (type == nil || entry["type"]?.string == type) && (text.map { entry.text.contains($0) } ?? true)
            }
            if let record { return try Self.assert(true, "", [what: record]) }
        }
        let wanted = (type.map { " of type \($0)" } ?? "") + (text.map { " with \"\($0)\"" } ?? "")
        throw SimulatorError(.assertionFailed, "There was no \(what)\(wanted).")
    }
}

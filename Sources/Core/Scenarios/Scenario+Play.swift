package import AppCore

extension Scenario {
    /// Plays the scenario from the first input of a process to its last step.
    /// - Parameter find: how the scenarios are found that this one continues.
    /// - Throws: ``ScenarioError`` for a step that cannot be done.
    package func play(finding find: (String) throws -> Scenario = Scenario.named) throws -> Performance {
        var performance = Performance()
        try play(into: &performance, depth: 0, find)
        return performance
    }

    private func play(into performance: inout Performance, depth: Int, _ find: (String) throws -> Scenario) throws {
        guard depth < Self.depthLimit else { throw ScenarioError(name, "it continues itself") }
        if let base {
            try find(base).play(into: &performance, depth: depth + 1, find)
        } else {
            performance.dispatch(.event(.started(locked: false, records: [])))
            performance.dispatch(.app(.becameActive))
        }
        for (number, step) in steps.enumerated() {
            do { try performance.take(step) } catch let error as DecodingError {
                throw ScenarioError(name, "step \(number + 1): \(error.explanation)")
            } catch let error as ScenarioStep.Unreadable {
                throw ScenarioError(name, "step \(number + 1): \(error.explanation)")
            }
        }
    }
}

/// A scenario after it was played: the core as it is now, and how it came there.
package struct Performance: Sendable {
    package private(set) var driver = CoreDriver()
    /// Every input, so that another core can be brought to the same state.
    package private(set) var inputs: [Input] = []

    init() {}

    mutating func dispatch(_ action: Action) { inputs.append(driver.dispatch(action).input) }

    mutating func take(_ step: ScenarioStep) throws {
        switch step {
        case .happen(let json): try happen(json)
        case .answer(let type, var event):
            guard let effect = driver.openEffects.last(where: { $0.type == type }) else {
                throw ScenarioStep.Unreadable(explanation: "no effect of the type in \"answer\" waits")
            }
            if event["type"] == nil {
                guard let answer = driver.history(for: effect) else {
                    throw ScenarioStep.Unreadable(explanation: "the disk answers no effect of the type in \"answer\"")
                }
                return dispatch(.event(answer))
            }
            event["effect"] = .integer(Int64(clamping: effect.id.number))
            try happen(event)
        case .pass(let milliseconds): inputs += driver.pass(milliseconds: milliseconds).map(\.input)
        case .restart(let locked, let recent):
            let isWanted = { (key: RecordKey) in !locked || key.isReadableWhileLocked }
            let records = recent == nil ? driver.records(where: isWanted) : driver.recentRecords(where: isWanted)
            dispatch(.event(.started(locked: locked, records: records, recent: recent)))
            dispatch(.app(.becameActive))
        }
    }

    private mutating func happen(_ json: JSONValue) throws {
        let references = References(driver)
        let action = try json.mapStrings { text throws in try references.value(of: text) }
        dispatch(try JSON.decode(Action.self, from: JSON.encode(action)))
    }
}

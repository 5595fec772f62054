package import AppCore

/// A fault with the shortest way to it that was found.
package struct WalkFinding: Sendable, CustomStringConvertible {
    /// The broken invariant.
    package let fault: String
    package let seed: UInt64
    /// Inputs of the walk before the fault.
    package let step: Int
    /// Inputs that lead there from the first one of a process.
    package let inputs: [Input]
    /// How many there were before some were left out.
    package let length: Int

    init(
        _ fault: Fault, in run: WalkRun, of walk: RandomWalk,
        core: @escaping @Sendable () throws -> any SimulatedCore
    ) throws {
        self.fault = fault.description
        seed = walk.seed
        step = walk.steps
        let all = run.simulation.setup + run.simulation.log.entries.map(\.input)
        length = all.count
        inputs = fault.isOfCore ? try Shrinking(fault, core: core).shortest(all) : all
    }

    package var description: String {
        let lines = inputs.map { (try? JSON.encode($0)).map { String(decoding: $0, as: UTF8.self) } ?? "-" }
        return """
            \(fault)
            seed \(seed), step \(step); \(inputs.count) of \(length) inputs lead there:
            \(lines.joined(separator: "\n"))
            """
    }
}

/// Leaves out of a row of inputs whatever a fault does not need.
struct Shrinking {
    private let fault: Fault
    private let core: @Sendable () throws -> any SimulatedCore
    /// Attempts; each plays all that is left.
    private static let limit = 2000

    init(_ fault: Fault, core: @escaping @Sendable () throws -> any SimulatedCore) {
        self.fault = fault
        self.core = core
    }

    /// Leaves out halves, quarters, and so on down to single inputs, as long as the fault is still there (Zeller's ddmin).
    func shortest(_ inputs: [Input]) throws -> [Input] {
        guard try shows(inputs) else { return inputs }
        var inputs = inputs
        var attempts = 0
        var size = max(inputs.count / 2, 1)
        while attempts < Self.limit {
            var start = 0
            var isShorter = false
            // The last input is the one that shows it.
            while start < inputs.count - 1, attempts < Self.limit {
                var rest = inputs
                rest.removeSubrange(start..<min(start + size, inputs.count - 1))
                attempts += 1
                if try shows(rest) {
                    inputs = rest
                    isShorter = true
                } else {
                    start += size
                }
            }
            if size == 1, !isShorter { break }
            size = max(size / 2, 1)
        }
        return inputs
    }

    /// Whether a core that takes these inputs shows the same fault at the end.
    private func shows(_ inputs: [Input]) throws -> Bool {
        guard let last = inputs.last else { return false }
        var core = try core()
        for input in inputs.dropLast() { _ = try core.dispatch(input) }
        do {
            try checkOffer(last, &core)
            try core.checkTree()
            try core.checkDisk()
            return false
        } catch let found as Fault { return found == fault }
    }

    private func checkOffer(_ input: Input, _ core: inout any SimulatedCore) throws {
        var node: String?
        try core.tree.forEach { candidate in
            let offers = candidate.offers.contains { $0.inputs.isEmpty && $0.action == input.action }
            if offers { node = candidate.id }
        }
        let before = try core.moment()
        let effects = try core.dispatch(input)
        if let node, effects.isEmpty, try core.isUnchanged(since: before) {
            throw Fault("\(node) is offered and does nothing")
        }
    }
}

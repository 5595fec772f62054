import AppCore
import Layout
import Scenarios

extension Simulator {
    /// Findings of every scenario that has some, by its name.
    func lintAll() throws -> JSONValue {
        var all: [String: JSONValue] = [:]
        for name in Scenario.names {
            let tree = try Scenario.named(name).perform().driver.core.tree
            let findings = Lint.findings(in: Layout(of: try ViewNode(tree), viewport: viewport))
            if !findings.isEmpty { all[name] = try JSONValue(findings) }
        }
        return .object(all)
    }
}

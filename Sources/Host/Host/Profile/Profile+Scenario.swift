#if DEBUG
import AppCore
package import Scenarios

extension AppHost {
    /// Fills a new profile with what a scenario leaves on the disk, so that a real host begins there. Debug builds only.
    ///
    /// The servers and the peers of the scenario do not exist; what the host asks of them fails as it would in life.
    /// - Throws: ``ScenarioError``, or ``ProfileError`` if the profile is not new.
    package static func fill(profile path: String, with scenario: Scenario) throws {
        let records = try scenario.play().driver.records()
        let profile = try Profile(path: path)
        defer { profile.close() }
        guard try profile.records().isEmpty else {
            let reason = "it holds something already, and a scenario needs a new one"
            throw ProfileError.cannotCreate(path: path, reason: reason)
        }
        try profile.save(records.map { (key: $0.key, value: Array($0.json.utf8)) }, durably: true)
    }
}
#endif

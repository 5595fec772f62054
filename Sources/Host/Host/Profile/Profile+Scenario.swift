package import AppCore

#if DEBUG
package import Scenarios
#endif

extension AppHost {
    /// Fills a new profile with records, for a host that begins there: for tests and benchmarks.
    /// - Throws: ``ProfileError`` if the profile is not new.
    package static func fill(profile path: String, with records: [Record]) throws {
        let profile = try Profile(path: path)
        defer { profile.close() }
        guard try profile.records().isEmpty else {
            let reason = "it holds something already, and what it is filled with needs a new one"
            throw ProfileError.cannotCreate(path: path, reason: reason)
        }
        try profile.save(records.map { (key: $0.key, value: Array($0.json.utf8)) }, durably: true)
    }

    #if DEBUG
    /// Fills a new profile with what a scenario leaves on the disk. Debug builds only.
    ///
    /// The servers and the peers of the scenario do not exist; what the host asks of them fails as it would in life.
    /// - Throws: ``ScenarioError``, or ``ProfileError`` if the profile is not new.
    package static func fill(profile path: String, with scenario: Scenario) throws {
        try fill(profile: path, with: try scenario.play().driver.records())
    }
    #endif
}

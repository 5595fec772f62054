internal import Components

extension AppManifest {
    /// Says which other apps a person could take this one for, or think that it has to do with.
    func warnings(beside others: [AppManifest]) -> [String] {
        var warnings: [String] = []
        let own = DisplayName(name)
        if own == DisplayName("Alcove") { warnings.append("Its name looks like that of Alcove itself.") }
        let below = Set(components.flatMap { $0.requested.folders(in: .local) + $0.requested.folders(in: .synced) })
            .subtracting([domain])
        for other in others.sorted(by: { $0.domain < $1.domain }) {
            if own == DisplayName(other.name) {
                warnings.append("Its name looks like that of \(other.name) (\(other.domain)), which is another app.")
            }
            if below.contains(other.domain) {
                warnings.append(
                    "It keeps files under the name \(other.domain), which is that of another app, \(other.name). It does not get that app's files."
                )
            }
        }
        return Array(warnings.prefix(Self.warningLimit))
    }

    /// More would be read by nobody.
    private static let warningLimit = 8
}

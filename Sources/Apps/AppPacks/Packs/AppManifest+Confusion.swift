internal import Components

extension AppManifest {
    /// Says which other apps a person could take this one for, or think that it has to do with.
    /// - Parameters:
    ///   - kept: of the domains that this names, those whose apps have files here.
    ///   - isNew: whether no version of it is installed.
    func warnings(beside others: [AppManifest], kept: Set<AppDomain>, isNew: Bool) -> [String] {
        var warnings: [String] = []
        let own = DisplayName(name)
        if own == DisplayName("Alcove") { warnings.append("Its name looks like that of Alcove itself.") }
        if isNew, kept.contains(domain) {
            warnings.append("Files that an app of the domain \(domain) kept are still here. This app gets them.")
        }
        let below = foldersBelow
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
        for domain in kept.intersection(below).subtracting(others.map(\.domain)).sorted() {
            warnings.append(
                "It keeps files under the name \(domain), under which another app kept files, too. It does not get that app's files."
            )
        }
        return Array(warnings.prefix(Self.warningLimit))
    }

    /// Domains below its own under which it keeps files.
    var foldersBelow: Set<AppDomain> {
        Set(components.flatMap { $0.requested.folders(in: .local) + $0.requested.folders(in: .synced) })
            .subtracting([domain])
    }

    /// Nobody would read more.
    private static let warningLimit = 8
}

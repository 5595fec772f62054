internal import AppPacks
internal import Components
internal import Wire

/// Which versions of which apps there are: in use, and waiting.
struct AppInventory {
    private let current: [AppDomain: AppVersion]
    private let waiting: Set<WaitingPack>

    init(of library: AppLibrary) throws {
        current = Dictionary(try library.list().apps.map { ($0.domain, $0.version) }) { first, _ in first }
        waiting = Set(try library.waitingPacks())
    }

    /// All of an app, the oldest first.
    func versions(of domain: AppDomain) -> [AppVersion] {
        let waiting = waiting.filter { $0.domain == domain }.map(\.version)
        return Set(waiting + [current[domain]].compactMap { $0 }).sorted()
    }

    /// `[{id, versions}]`
    var json: JSONValue {
        let domains = Set(current.keys).union(waiting.map(\.domain)).sorted()
        return .array(
            domains.map { domain in
                ["id": .string(domain.name), "versions": .array(versions(of: domain).map { .string($0.text) })]
            })
    }

    /// What became of an older state, as apps hear it: `{type, id, version}`. Changes that were undone since are not reported.
    func events(since older: AppInventory) -> [JSONValue] {
        func event(_ type: String, _ domain: AppDomain, _ version: AppVersion) -> JSONValue {
            ["type": .string(type), "id": .string(domain.name), "version": .string(version.text)]
        }
        let installed = current.filter { older.current[$0.key] != $0.value }.map {
            event("installed", $0.key, $0.value)
        }
        let removed = older.waiting.subtracting(waiting).filter { current[$0.domain] != $0.version }
            .map { event("pack-removed", $0.domain, $0.version) }
        let uninstalled = older.current.filter { current[$0.key] == nil }.map { event("uninstalled", $0.key, $0.value) }
        return installed + removed + uninstalled
    }
}

internal import AppPacks
package import Components
internal import Wire

extension AppPlatform {
    /// Stops an app and takes it away.
    package func remove(_ domain: AppDomain, keepingData: Bool) async throws(AppFailure) {
        defer { fan.tell(.packsChanged) }
        updates[domain] = nil
        try await whileStopped(domain, because: .removal) { [self] () async throws(AppFailure) in
            try await removeStopped(domain, keepingData: keepingData)
        }
    }

    private func removeStopped(_ domain: AppDomain, keepingData: Bool) throws(AppFailure) {
        closeStorages(of: domain)
        do {
            try library.remove(domain, keepingData: keepingData)
        } catch {
            throw AppFailure(error)
        }
        apps[domain] = nil
    }

    /// Stops an app, and removes its files and its log.
    /// - Parameter remover: the app that asks for it.
    func removeData(of domain: AppDomain, by remover: AppDomain) async throws(AppFailure) {
        try await whileStopped(domain, because: .request) { [self] () async throws(AppFailure) in
            try await removeDataOfStopped(domain, by: remover)
        }
    }

    private func removeDataOfStopped(_ domain: AppDomain, by remover: AppDomain) throws(AppFailure) {
        // Open objects would lead into files that are no longer visible.
        closeStorages(of: domain)
        do {
            try library.removeData(of: domain, by: .app(remover))
        } catch {
            throw AppFailure(error)
        }
    }

    /// Grants a capability or takes it back, also from components that run. It is so when this returns.
    package func setGrant(_ capability: Capability, to isGranted: Bool, of domain: AppDomain) throws(AppFailure) {
        do {
            try library.setGrant(capability, to: isGranted, of: domain)
        } catch {
            throw AppFailure(error)
        }
        try grantsChanged(of: domain)
    }

    /// Which components are connected to the services of an app.
    func connections(to domain: AppDomain) -> JSONValue {
        let serving = instances.values.filter { $0.app.domain == domain }
        return .array(
            serving.flatMap { instance in
                instance.services.keys.sorted().map { service in
                    [
                        "service": .string(service), "component": .string(instance.entryPoint.text),
                        "connections": .number(String(instance.served(service))),
                    ]
                }
            })
    }
}

extension AppFailure {
    init(_ error: AppPackError) {
        let code: Code =
            switch error.code {
            case .notInstalled: .unknownApp
            case .file, .busy: .file
            case .notRequested: .notGranted
            case .foreign: .notAllowed
            default: .invalidPack
            }
        self.init(code, error.message)
    }
}

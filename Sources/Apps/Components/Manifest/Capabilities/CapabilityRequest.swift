/// A capability that an app asks for, with all that a person has to know to decide.
public struct CapabilityRequest: Hashable, Sendable {
    /// What is asked for.
    public var capability: Capability
    /// The components that ask, in the order of the manifest.
    public var components: [PackPath]
    /// What they ask for all together.
    public var permissions: [Permission]

    /// Whether a person should think about it: because of what it is, or of how much is asked for.
    public func isSensitive(for app: AppDomain) -> Bool {
        capability.isSensitive
            || permissions.contains { permission in
                if case .folder(let domain) = permission.scope { domain != app } else { false }
            }
    }
}

extension AppManifest {
    /// What the app asks for, in the order of ``Capability``.
    public var requests: [CapabilityRequest] {
        Capability.allCases.compactMap { capability in
            let asking = components.filter { $0.requested.contains(capability) }
            if asking.isEmpty { return nil }
            let permissions = asking.flatMap { $0.requested.all.filter { $0.capability == capability } }
            return CapabilityRequest(
                capability: capability, components: asking.map(\.entryPoint), permissions: Permissions(permissions).all)
        }
    }

    /// What of ``requests`` an older version did not ask for: what a person has to be asked about at an update.
    public func requests(beyond older: AppManifest) -> [CapabilityRequest] {
        let known = Set(older.requests.flatMap(\.permissions))
        return requests.compactMap { request in
            var request = request
            request.permissions.removeAll(where: known.contains)
            return request.permissions.isEmpty ? nil : request
        }
    }
}

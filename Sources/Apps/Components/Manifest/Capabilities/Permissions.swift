/// What a component asks for, or has: permissions in the order of the manifest, without repetitions.
///
/// What a component asked for and what it was granted have the same shape, so what it has is
/// `component.requested.limited(to: grants)`, and the code that builds its `w3n` needs nothing else.
public struct Permissions: Hashable, Sendable {
    /// Permissions of one component.
    public static let limit = 512

    /// The permissions in the order of the manifest.
    public private(set) var all: [Permission] = []

    /// No permissions.
    public init() {}

    /// These permissions, each once.
    public init(_ permissions: some Sequence<Permission>) {
        var seen: Set<Permission> = []
        all = permissions.filter { seen.insert($0).inserted }
    }

    /// Whether nothing is asked for.
    public var isEmpty: Bool { all.isEmpty }

    /// Whether there is any permission of this capability.
    public func contains(_ capability: Capability) -> Bool { all.contains { $0.capability == capability } }

    /// Whether there is exactly this permission.
    public func contains(_ capability: Capability, _ scope: PermissionScope) -> Bool {
        all.contains(Permission(capability, scope))
    }

    /// How much of a capability, in the order of the manifest.
    public func scopes(of capability: Capability) -> [PermissionScope] {
        all.filter { $0.capability == capability }.map(\.scope)
    }

    /// Only those that were granted.
    public func limited(to grants: Grants) -> Permissions {
        var limited = Permissions()
        limited.all = all.filter(grants.contains)
        return limited
    }

    /// The domains whose folders a component may open, on this device or on all.
    public func folders(in storage: AppStorage) -> [AppDomain] {
        scopes(of: storage == .local ? .ownFiles : .syncedFiles).compactMap { scope in
            if case .folder(let domain) = scope { domain } else { nil }
        }
    }

    /// Where it may reach on the network.
    public var addresses: [AddressPattern] { addresses(of: .network) }

    /// The addresses that a capability covers: what may be reached on the network, or opened outside.
    public func addresses(of capability: Capability) -> [AddressPattern] {
        scopes(of: capability).compactMap { scope in
            if case .address(let pattern) = scope { pattern } else { nil }
        }
    }
}

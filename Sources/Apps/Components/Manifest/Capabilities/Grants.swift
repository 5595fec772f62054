public import Wire

/// The capabilities that a person granted to an app. All others are denied.
public struct Grants: Hashable, Sendable {
    /// Capabilities with the texts of their scopes.
    private var scopes: [Capability: Set<String>] = [:]

    /// Nothing is granted.
    public init() {}

    /// These permissions are granted, and no others.
    public init(_ permissions: some Sequence<Permission>) {
        for permission in permissions { insert(permission) }
    }

    /// Grants one permission.
    public mutating func insert(_ permission: Permission) {
        scopes[permission.capability, default: []].insert(permission.scope.text)
    }

    /// Takes back all permissions of a capability.
    public mutating func remove(_ capability: Capability) { scopes[capability] = nil }

    /// Whether exactly this permission was granted.
    public func contains(_ permission: Permission) -> Bool {
        scopes[permission.capability]?.contains(permission.scope.text) == true
    }

    /// As it is stored: `{"network": ["https://example.org"], …}`.
    public var json: JSONValue {
        var object: JSONObject = [:]
        for capability in scopes.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            object.append(capability.rawValue, .array((scopes[capability] ?? []).sorted().map { .string($0) }))
        }
        return .object(object)
    }

    /// Reads what ``json`` gives. Capabilities of other versions of Alcove are left out; nil if it is something else.
    public init?(json: JSONValue) {
        guard let members = json.object?.members else { return nil }
        for member in members {
            guard case .array(let elements) = member.value else { return nil }
            let texts = elements.compactMap(\.string)
            guard texts.count == elements.count else { return nil }
            if let capability = Capability(rawValue: member.name) { scopes[capability] = Set(texts) }
        }
    }
}

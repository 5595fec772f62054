/// One thing that an app asks for, or was granted: a capability, and how much of it.
public struct Permission: Hashable, Sendable {
    /// What is permitted.
    public var capability: Capability
    /// How much of it.
    public var scope: PermissionScope

    /// A permission; all of the capability unless told otherwise.
    public init(_ capability: Capability, _ scope: PermissionScope = .whole) {
        self.capability = capability
        self.scope = scope
    }
}

/// How much of a capability.
public enum PermissionScope: Hashable, Sendable {
    /// All of it.
    case whole
    /// A folder of the app: the one of its own domain, or one that it calls by a domain below. No other app's.
    case folder(AppDomain)
    /// A whole storage.
    case storage(StorageKind, writable: Bool)
    /// A file or folder of this computer.
    case devicePath(String, writable: Bool)
    /// Pages, or web sockets.
    case address(AddressPattern)
    /// A service, command or resource by name; `app` is nil for the app's own.
    case named(String, app: AppDomain?)
    /// A part of a capability: `read`, `installer`, `select`.
    case part(String)

    /// The storages of a person.
    public enum StorageKind: String, Hashable, Sendable, CaseIterable {
        /// On all devices of the person, on this device only, or the computer's own files.
        case synced, local, device
    }

    /// Links that begin a mail.
    public static let mailAddresses = PermissionScope.part("mail addresses")

    /// What grants are stored under. It differs for any two scopes of one capability.
    public var text: String {
        switch self {
        case .whole: "*"
        case .folder(let domain): domain.name
        case .storage(let kind, let writable): "\(kind.rawValue) \(writable ? "write" : "read")"
        case .devicePath(let path, let writable): "\(writable ? "write" : "read") \(path)"
        case .address(let pattern): pattern.description
        case .named(let name, let app): "\(app?.name ?? "this") \(name)"
        case .part(let part): part
        }
    }
}

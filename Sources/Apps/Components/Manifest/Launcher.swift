public import Wire

/// A way to open an app that is offered to the person.
public struct Launcher: Hashable, Sendable {
    public enum Target: Hashable, Sendable {
        case component(PackPath)
        /// A start command, for the component that takes it.
        case command(StartCommand)
    }

    public var name: String
    public var about: String
    public var icon: PackPath?
    public var target: Target
    /// On which devices it is offered; empty for all.
    public var formFactors: Set<FormFactor>
}

/// A command for a component, with which it is started if it is not running.
public struct StartCommand: Hashable, Sendable {
    public var name: String
    public var parameters: [JSONValue]

    public init(_ name: String, _ parameters: [JSONValue] = []) {
        self.name = name
        self.parameters = parameters
    }

    /// Bytes of its name and of its parameters as JSON.
    public var byteCount: Int { parameters.reduce(name.utf8.count) { $0 + $1.text.utf8.count } }
}

/// A folder in the app's own storage in which the app itself keeps launchers.
public struct LauncherFolder: Hashable, Sendable {
    public var storage: AppStorage
    public var path: String
    /// On which devices it is offered; empty for all.
    public var formFactors: Set<FormFactor>
}

/// Which of its two storages an app uses.
public enum AppStorage: String, Hashable, Sendable, Codable, CaseIterable {
    /// On this device only.
    case local
    /// On all devices of the person.
    case synced
}

/// A file or folder of the app's storage that others may ask for.
public struct ExposedResource: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case file
        case folder
    }

    public var name: String
    public var allowed: AllowedCallers
    public var storage: AppStorage
    /// Its path in the storage.
    public var path: String
    public var kind: Kind
    /// What is in it at first, in the app's folder.
    public var initialValue: PackPath?
}

public import Wire

/// A way to open an app that is offered to the person.
public struct Launcher: Hashable, Sendable {
    /// What a launcher opens.
    public enum Target: Hashable, Sendable {
        /// A component, by its entry point.
        case component(PackPath)
        /// A start command, for the component that takes it.
        case command(StartCommand)
    }

    /// The name to show.
    public var name: String
    /// A description to show.
    public var about: String
    /// A picture in the pack.
    public var icon: PackPath?
    /// What it opens.
    public var target: Target
    /// On which devices it is offered; empty for all.
    public var formFactors: Set<FormFactor>
}

/// A command for a component, with which it is started if it is not running.
public struct StartCommand: Hashable, Sendable {
    /// The name of the command, as the manifest declares it.
    public var name: String
    /// What the component gets with the command.
    public var parameters: [JSONValue]

    /// A command with its parameters.
    public init(_ name: String, _ parameters: [JSONValue] = []) {
        self.name = name
        self.parameters = parameters
    }

    /// Bytes of its name and of its parameters as JSON.
    public var byteCount: Int { parameters.reduce(name.utf8.count) { $0 + $1.text.utf8.count } }
}

/// A folder in the app's own storage in which the app itself keeps launchers.
public struct LauncherFolder: Hashable, Sendable {
    /// The storage that has the folder.
    public var storage: AppStorage
    /// The path of the folder in it.
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
    /// Whether a resource is a file or a folder.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// One file.
        case file
        /// A folder with everything in it.
        case folder
    }

    /// The name by which others ask for it.
    public var name: String
    /// Who may have it.
    public var allowed: AllowedCallers
    /// The storage that has it.
    public var storage: AppStorage
    /// Its path in the storage.
    public var path: String
    /// Whether it is a file or a folder.
    public var kind: Kind
    /// What is in it at first, in the app's folder.
    public var initialValue: PackPath?
}

/// The kind of device that a window is on, or that a component was made for.
public enum FormFactor: String, Hashable, Sendable, Codable, CaseIterable {
    case desktop
    case tablet
    case phone
    /// A phone with a large screen attached.
    case phoneWithScreen = "phone+screen"
    case tabletWithScreen = "tablet+screen"

    /// Whether something made for any of `factors` fits on this device. Something that names no kind fits everywhere, and where a screen is
    /// attached, so does what was made for desktops.
    public func fits(_ factors: Set<FormFactor>) -> Bool {
        switch self {
        case .phoneWithScreen, .tabletWithScreen:
            factors.isEmpty || factors.contains(self) || factors.contains(.desktop)
        case .desktop, .tablet, .phone: factors.isEmpty || factors.contains(self)
        }
    }
}

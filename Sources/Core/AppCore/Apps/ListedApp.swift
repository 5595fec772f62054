// What the core knows of an installed app. The app itself, its data and its grants live in the library of apps.

/// An app, by its domain: `feeds.example.org`.
public typealias AppID = Identifier<ListedApp>
/// Something that an app can be granted, by its name: `storage.app.local`.
public typealias CapabilityName = Identifier<AppRequest>

/// One line in the list of apps.
public struct ListedApp: Sendable, Hashable, Codable, Identifiable {
    public let id: AppID
    public var name: String
    public var version: String
    /// What it says of itself.
    public var about: String
    /// Of all its files.
    public var bytes: Int64
    /// What it asks for, and what of it was granted.
    public var requests: [AppRequest]
    /// Commands that the person can give.
    public var commands: [AppCommand]
    public var background: BackgroundStrategy
    /// Why it cannot run, if it cannot.
    public var problem: Failure.Code?

    public init(
        id: AppID, name: String, version: String, about: String = "", bytes: Int64 = 0, requests: [AppRequest] = [],
        commands: [AppCommand] = [], background: BackgroundStrategy = .foreground, problem: Failure.Code? = nil
    ) {
        self.id = id
        self.name = name
        self.version = version
        self.about = about
        self.bytes = bytes
        self.requests = requests
        self.commands = commands
        self.background = background
        self.problem = problem
    }

    /// As it may be kept and shown here.
    var fitted: ListedApp {
        var app = self
        app.name = name.appName
        app.version = version.appName
        app.about = about.withoutControls.limited(to: AppsLimits.aboutBytes)
        app.bytes = max(bytes, 0)
        app.requests = requests.fitted
        app.commands = commands.prefix(AppsLimits.commands).map(\.fitted)
        return app
    }

    /// The name to show.
    public var title: String { name.isEmpty ? id.text : name }
}

/// One thing that an app asks for, in plain words.
public struct AppRequest: Sendable, Hashable, Codable {
    public var capability: CapabilityName
    /// What it lets the app do: "Reach sites on the network".
    public var words: String
    /// How much of it, one line for each part.
    public var details: [String]
    /// Whether it reaches beyond the app's own affairs.
    public var sensitive: Bool
    /// Whether it is there to be had at all.
    public var available: Bool
    public var granted: Bool
    /// In a pack that replaces an app: whether the installed version did not ask for it.
    public var added: Bool

    public init(
        capability: CapabilityName, words: String, details: [String] = [], sensitive: Bool = false,
        available: Bool = true, granted: Bool = false, added: Bool = false
    ) {
        self.capability = capability
        self.words = words
        self.details = details
        self.sensitive = sensitive
        self.available = available
        self.granted = granted
        self.added = added
    }

    /// The words to show.
    var title: String { words.isEmpty ? capability.text : words }
}

extension [AppRequest] {
    /// As they may be kept and shown here, none of them twice.
    var fitted: [AppRequest] {
        var seen: Set<CapabilityName> = []
        return prefix(AppsLimits.requests).filter { seen.insert($0.capability).inserted }.map { request in
            var request = request
            request.words = request.words.appName
            request.details = request.details.prefix(AppsLimits.details).map(\.appName)
            return request
        }
    }
}

/// A command that a component takes.
public struct AppCommand: Sendable, Hashable, Codable {
    public var name: String
    /// The component that takes it, by the path of its script or page.
    public var component: String

    public init(name: String, component: String) {
        self.name = name
        self.component = component
    }

    fileprivate var fitted: AppCommand { AppCommand(name: name.appName, component: component.appName) }
}

/// How an app goes on while Alcove is not in front.
public enum BackgroundStrategy: String, Sendable, Hashable, Codable, CaseIterable {
    /// It does not.
    case foreground
    /// It is woken now and then.
    case periodic
    /// A message from the network wakes it.
    case push
}

/// Bounds that the apps slice keeps.
public enum AppsLimits {
    public static let apps = 1000
    public static let requests = 64
    /// Lines that say how much of a capability is asked for.
    public static let details = 32
    public static let commands = 64
    /// Other apps that one could be confused with.
    public static let warnings = 8
    /// Components that run, of all apps.
    public static let components = 4096
    /// Log lines that are kept of an app.
    public static let logLines = 100
    public static let logLineBytes = 1024
    /// Links that apps ask to open, at the same time.
    public static let links = 8
    /// Bytes of a name, a path or a version.
    public static let nameBytes = 256
    public static let aboutBytes = 4096
    /// Bytes of a path or a URL.
    public static let sourceBytes = 4096
    public static let parametersBytes = 8192
}

extension String {
    /// A name, in one line of limited length.
    var appName: String { withoutControls.trimmed.limited(to: AppsLimits.nameBytes) }
    /// A path or URL as it was entered or came in, in one line.
    var appSource: String { withoutControls.trimmed.limited(to: AppsLimits.sourceBytes) }
}

/// One part of an app that runs by itself.
public struct AppComponent: Hashable, Sendable {
    /// What runs a component.
    public enum Runtime: String, Hashable, Sendable, CaseIterable {
        /// A page in a web view.
        case webGUI = "web-gui"
        /// A script without a window.
        case headless = "deno"
        /// A WebAssembly module. It can be declared, and nothing runs it.
        case webAssembly = "wasm,mp1"

        /// Whether there is something that runs it.
        public var isSupported: Bool { self != .webAssembly }
    }

    /// The path of its page or script, which also identifies it.
    public var entryPoint: PackPath
    /// What runs it.
    public var runtime: Runtime
    /// What it asks for.
    public var requested = Permissions()
    /// For which devices it was made; empty for all.
    public var formFactors: Set<FormFactor> = []
    /// A picture in the pack.
    public var icon: PackPath?
    /// How it wants its window.
    public var window = WindowOptions()
    /// Code of other packs that it uses.
    public var sharedLibraries: [SharedLibrary] = []
    /// The services that it offers, by name.
    public var services: [String: AllowedCallers] = [:]
    /// The commands that it takes, by name.
    public var commands: [String: AllowedCallers] = [:]
    /// Whether it may run several times at once.
    public var allowsManyInstances = false
    /// Whether each connection to a service of it gets an instance of its own.
    public var isForOneConnectionOnly = false
    /// Whether its window belongs to the window of who called it.
    public var isChildOfCaller = false

    init(entryPoint: PackPath, runtime: Runtime) {
        self.entryPoint = entryPoint
        self.runtime = runtime
    }
}

/// Code that several apps share.
public struct SharedLibrary: Hashable, Sendable {
    /// The app whose pack has the code.
    public var domain: AppDomain
    /// The digest of the version that is wanted, as the manifest spells it, and its algorithm.
    public var hash: String
    /// The algorithm of ``hash``, as the manifest spells it.
    public var algorithm: String
}

/// How a component wants its window. Phones have no use for it.
public struct WindowOptions: Hashable, Sendable {
    /// In points.
    public enum Measure: String, Hashable, Sendable, CaseIterable {
        /// A size or a place, each of which a component may leave to the system.
        case width, height, x, y, minWidth, minHeight, maxWidth, maxHeight
    }

    /// A property of a window that is on or off.
    public enum Flag: String, Hashable, Sendable, CaseIterable {
        /// Named as in the manifest.
        case center, resizable, movable, minimizable, maximizable, skipTaskbar, frame, modal, rememberWindowLocation
    }

    /// The sizes and places that the manifest gives, in points.
    public var measures: [Measure: Int] = [:]
    /// The properties that the manifest gives.
    public var flags: [Flag: Bool] = [:]

    /// No preferences: the system decides everything.
    public init() {}
}

public import Components

/// What a core asks of the host around it: windows, the browser, the end. Each host brings its own.
public struct HostActions: Sendable {
    /// What a component is shown or started as.
    public struct Component: Hashable, Sendable {
        public var connector: String
        public var appDomain: String
        /// The path of its code, `/index.html` for example.
        public var entrypoint: String

        public init(connector: String, appDomain: String, entrypoint: String) {
            (self.connector, self.appDomain, self.entrypoint) = (connector, appDomain, entrypoint)
        }
    }

    /// The connector that stands for the pages before sign-in when they are closed.
    public static let startupConnector = "init"

    /// Shows a web-GUI component whose connector exists.
    public var showComponent: @Sendable (Component) async throws(NativeError) -> Void
    public var closeComponent: @Sendable (_ connector: String) async throws(NativeError) -> Void
    public var focusComponent: @Sendable (_ connector: String) async throws(NativeError) -> Void
    /// Starts a headless component and returns when its code was evaluated. The core is called back meanwhile.
    public var startComponent: @Sendable (Component) async throws(NativeError) -> Void
    public var showError: @Sendable (_ title: String, _ content: String) -> Void
    /// Ends the program.
    public var exit: @Sendable () -> Void
    /// Opens a URL outside, after ``ExternalURL`` has let it pass.
    public var open: @Sendable (ExternalURL) async throws(NativeError) -> Void
    /// Whether there is a network, as far as can be told without asking anyone.
    public var isOnline: @Sendable () -> Bool

    public init(
        showComponent: @escaping @Sendable (Component) async throws(NativeError) -> Void,
        closeComponent: @escaping @Sendable (_ connector: String) async throws(NativeError) -> Void,
        focusComponent: @escaping @Sendable (_ connector: String) async throws(NativeError) -> Void,
        startComponent: @escaping @Sendable (Component) async throws(NativeError) -> Void,
        showError: @escaping @Sendable (_ title: String, _ content: String) -> Void,
        exit: @escaping @Sendable () -> Void,
        open: @escaping @Sendable (ExternalURL) async throws(NativeError) -> Void = {
            try await SystemBrowser.open($0)
        },
        isOnline: @escaping @Sendable () -> Bool = { NetworkPresence.isPresent }
    ) {
        self.showComponent = showComponent
        self.closeComponent = closeComponent
        self.focusComponent = focusComponent
        self.startComponent = startComponent
        self.showError = showError
        self.exit = exit
        self.open = open
        self.isOnline = isOnline
    }
}

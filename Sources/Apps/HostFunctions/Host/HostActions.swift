package import Components

/// What a core asks of the host around it: windows, the browser, the end. Each host brings its own.
package struct HostActions: Sendable {
    /// Why an action could not be done, for the core that asked.
    package typealias Failure = NativeError

    /// What a component is shown or started as.
    package struct Component: Hashable, Sendable {
        package var connector: String
        package var appDomain: String
        /// The path of its code, `/index.html` for example.
        package var entrypoint: String

        package init(connector: String, appDomain: String, entrypoint: String) {
            (self.connector, self.appDomain, self.entrypoint) = (connector, appDomain, entrypoint)
        }
    }

    /// The connector that stands for the pages before sign-in when they are closed.
    package static let startupConnector = "init"

    /// Shows a web-GUI component whose connector exists.
    package var showComponent: @Sendable (Component) async throws(Failure) -> Void
    package var closeComponent: @Sendable (_ connector: String) async throws(Failure) -> Void
    package var focusComponent: @Sendable (_ connector: String) async throws(Failure) -> Void
    /// Starts a headless component and returns when its code was evaluated. The core is called back meanwhile.
    package var startComponent: @Sendable (Component) async throws(Failure) -> Void
    package var showError: @Sendable (_ title: String, _ content: String) -> Void
    /// Ends the program.
    package var exit: @Sendable () -> Void
    /// Opens a URL outside, after ``ExternalURL`` has let it pass.
    package var open: @Sendable (ExternalURL) async throws(Failure) -> Void
    /// Whether there is a network, as far as can be told without asking anyone.
    package var isOnline: @Sendable () -> Bool

    package init(
        showComponent: @escaping @Sendable (Component) async throws(Failure) -> Void,
        closeComponent: @escaping @Sendable (_ connector: String) async throws(Failure) -> Void,
        focusComponent: @escaping @Sendable (_ connector: String) async throws(Failure) -> Void,
        startComponent: @escaping @Sendable (Component) async throws(Failure) -> Void,
        showError: @escaping @Sendable (_ title: String, _ content: String) -> Void,
        exit: @escaping @Sendable () -> Void,
        open: @escaping @Sendable (ExternalURL) async throws(Failure) -> Void = {
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

extension CoreBoot {
    /// What happens to a core and around it.
    package enum Event: Hashable, Sendable {
        /// `init` has answered.
        case initialised
        /// A person opens an app by its domain.
        case opens(app: String)
        /// A window comes back that an earlier run may have left behind, with the connector that it had.
        case returns(app: String, connector: String, entrypoint: String?)
        /// A person follows a link to the platform.
        case follows(DeepLink)
        /// The core has looked at a link before sign-in.
        case preparedStartup(fragment: String)
        /// The core has opened an app.
        case launched(app: String, CoreFunctions.Entry)
        case failedToLaunch(app: String)
        case signedIn(user: String)
        /// The core wants a window.
        case coreShows(connector: String, app: String, entrypoint: String)
        /// The core closes a window; `init` stands for that of the startup app.
        case coreCloses(connector: String)
        /// The person has closed a window.
        case closed(connector: String)
        /// The core has ended: someone signed out, or it died.
        case ended
    }

    /// What the host does.
    package enum Action: Hashable, Sendable {
        /// Asks the core to open an app, and reports `launched` or `failedToLaunch`.
        case launch(String)
        /// Waits until someone has signed in, and reports `signedIn`.
        case waitForUser
        case show(connector: String, app: String, entrypoint: String)
        case focus(connector: String)
        case close(connector: String)
        /// Tells the core that a component is gone.
        case tellClosed(connector: String)
        /// Opens an app after ``CoreBoot/pauseBeforeRemembered``.
        case openLater(String)
        case process(url: String)
        /// Hands a link to the core, and reports `preparedStartup`.
        case processBeforeLogin(url: String)
    }
}

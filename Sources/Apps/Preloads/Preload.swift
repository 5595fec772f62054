/// The scripts that go ahead of a component's own code, each a classic script.
///
/// They keep the contracts of the 3NWeb platform, so that its apps and cores run behind them.
/// `docs/protocols/component-ipc.md` says what each expects of its host.
package enum Preload {
    /// First in every bare context: takes the global `_ports_`, and adds the globals that the engine lacks.
    package static let common = commonPreload
    /// Second in the context of a headless component: `w3n` over the port `core-ipc`, and `_awaitPreloadInit()`.
    package static let app = appPreload
    /// Second in the context of a core: `platform`, and `_startCore_(core)` for when the core's bundle was evaluated.
    package static let core = coreLoad
    /// In the head of an app's page: `window.w3n`, over what `_ipc_` offers.
    package static let setupW3N = setupW3n
    /// The same for the page where people sign in and up.
    package static let setupW3NForStartup = setupW3nForStartup
    /// Ahead of all scripts of a page: `_ipc_`, over a web socket to the page's origin or a web view's message handler.
    package static let shim = w3nShim
}

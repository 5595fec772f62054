/// The scripts that go ahead of a component's own code, each a classic script without a trailing newline.
///
/// They keep the contracts of the 3NWeb platform, so that its apps and cores run behind them.
public enum Preload {
    /// First in every bare context: takes the global `_ports_`, and adds the globals that the engine lacks.
    public static let common = commonPreload
    /// Second in the context of a headless component: `w3n` over the port `core-ipc`, and `_awaitPreloadInit()`.
    public static let app = appPreload
}

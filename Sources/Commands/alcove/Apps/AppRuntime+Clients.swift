import Apps

extension AppRuntime {
    /// How often others are looked after.
    static let glance: Duration = .milliseconds(300)

    /// Returns when no other terminal uses what runs here any more, or a signal comes.
    func waitForClients(until signals: Signals) async {
        guard !signals.haveCome, await hasClients else { return }
        Terminal.log("other terminals still use apps that run here; Control-C ends them")
        while !signals.haveCome, await hasClients { await signals.wait(atMost: Self.glance) }
    }
}

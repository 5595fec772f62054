package import AppPacks
package import Components

/// Where the apps of a library run: in this process, unless another one runs them already.
package final class AppRuntime: Sendable {
    /// The control socket of the apps, or the platform itself where it runs in this process.
    package let control: any AppControl
    /// What runs here; nil if another process runs the apps.
    package let platform: AppPlatform?
    private let server: AppControlServer?
    private let clients: ClientTracker?

    private init(
        control: any AppControl, platform: AppPlatform? = nil, server: AppControlServer? = nil,
        clients: ClientTracker? = nil
    ) {
        self.control = control
        self.platform = platform
        self.server = server
        self.clients = clients
    }

    /// The runtime of another process, if one runs the apps.
    package static func elsewhere(_ library: AppLibrary) -> AppRuntime? {
        RemoteAppControl(path: socket(library)).map { AppRuntime(control: $0) }
    }

    /// Returns when the other process has ended that runs the apps, or the task is cancelled. For one task at a time.
    package func untilGone() async { await (control as? RemoteAppControl)?.untilGone() }

    /// - Parameters:
    ///   - lastWords: how long what has ended here is kept for another process that does not ask about it any more. It may be
    ///     slow to pass on what it has read.
    ///   - sandbox: makes the sandbox in which components run here. If it cannot be made, starting one fails with its reason, and all that
    ///     needs no sandbox still works.
    /// - Throws: ``AppFailure`` if other processes cannot be let in.
    package static func open(
        _ library: AppLibrary, settings: AppPlatform.Settings = .init(), lastWords: Duration = .seconds(30),
        sandbox: () throws(ComponentError) -> any ComponentSandbox
    ) throws(AppFailure) -> AppRuntime {
        if let other = elsewhere(library) { return other }
        let platform = AppPlatform(library: library, sandbox: sandboxOrReason(sandbox), settings: settings)
        let clients = ClientTracker(platform, lastWords: lastWords)
        do {
            let server = try AppControlServer(path: socket(library), to: clients)
            return AppRuntime(control: platform, platform: platform, server: server, clients: clients)
        } catch {
            // Another process was faster.
            if let other = elsewhere(library) { return other }
            throw error
        }
    }

    private static func sandboxOrReason(_ sandbox: () throws(ComponentError) -> any ComponentSandbox)
        -> any ComponentSandbox
    {
        do throws(ComponentError) { return try sandbox() } catch { return UnavailableSandbox(reason: error) }
    }

    private static func socket(_ library: AppLibrary) -> String { library.path + "/door" }

    /// Whether other processes still wait for something that runs here.
    package var hasClients: Bool { get async { await clients?.hasClients ?? false } }

    /// Ends what runs here, and refuses new requests.
    package func close() async {
        // In this order, so that who follows something hears of its end.
        await platform?.close()
        await server?.stop()
    }
}

/// Stands in where no sandbox can be built: every start fails with the reason.
private struct UnavailableSandbox: ComponentSandbox {
    let reason: ComponentError

    func start(
        _ launch: ComponentLaunch, events: @escaping ComponentEvents
    ) async throws(ComponentError) -> any RunningComponent {
        throw reason
    }
}

/// Lets other processes of the person in, and knows whether they still wait for something.
private actor ClientTracker: AppControl {
    /// Those who follow what they started.
    private struct Followers {
        /// How many have not heard of its end.
        var count = 0
        /// When one of them got an answer.
        var lastAnswer = ContinuousClock.now
    }

    private let platform: AppPlatform
    private let lastWords: Duration
    private var followers: [UInt64: Followers] = [:]
    /// How many wait for a start.
    private var starting = 0

    init(_ platform: AppPlatform, lastWords: Duration) {
        self.platform = platform
        self.lastWords = lastWords
    }

    func ask(_ request: AppControlRequest) async throws(AppFailure) -> AppControlReply {
        if case .run = request { starting += 1 }
        defer { if case .run = request { starting -= 1 } }
        let reply = try await platform.ask(request)
        switch (request, reply) {
        case (_, .started(let instance, _)): note(1, instance)
        case (.follow(let instance, _), .printed(_, _, .some)): note(-1, instance)
        case (.follow(let instance, _), _): note(0, instance)
        default: break
        }
        return reply
    }

    /// Somebody got an answer about an instance: that it was started, what it says, or that it has ended.
    private func note(_ change: Int, _ instance: UInt64) {
        let count = (followers[instance]?.count ?? 0) + change
        followers[instance] = count > 0 ? Followers(count: count) : nil
    }

    /// Whether something runs that another process started, or has ended and one that follows it may not know. Who was killed
    /// does not ask again, and is not waited for any longer after a while.
    var hasClients: Bool {
        get async {
            let running = Set(await platform.running.map(\.id))
            let longAgo = ContinuousClock.now - lastWords
            followers = followers.filter { running.contains($0.key) || $0.value.lastAnswer > longAgo }
            return starting > 0 || !followers.isEmpty
        }
    }
}

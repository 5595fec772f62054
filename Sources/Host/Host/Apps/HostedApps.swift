import AppCore
import AppPacks
import Apps
import Components
import Dispatch
import ExternalCore

/// The apps of a host: their library, and the runtime in which they run. Both are opened when somebody first asks, and what runs goes
/// on until ``close()``.
///
/// Who comes first runs the apps of a profile for all processes of the person. Where that is another process, it is asked, and
/// followed as far as its control socket tells.
actor HostedApps {
    let path: String
    let configuration: AppsConfiguration
    /// What the core has to hear, answers too, in order.
    nonisolated let events: AsyncStream<Event>
    private nonisolated let event: AsyncStream<Event>.Continuation

    /// The library waits for the disk, and is asked on a thread that may.
    private nonisolated let disk = DispatchQueue(label: "alcove.apps")
    private var opened: AppLibrary?
    private var current: AppRuntime?
    private var isOver = false

    /// The ``Effect/Kind/openApps`` that is told what there is.
    var following: EffectID?
    /// What it was told.
    var toldApps: [AppID: ListedApp] = [:]
    /// The listing that this was, in the order in which listings began.
    var toldListing = 0
    var lastListing = 0
    /// What runs on ``current``, as it was told.
    var running: [InstanceID: ListedComponent] = [:]
    /// What ended there lately.
    var ended: [InstanceID: ListedComponent] = [:]
    /// Those who read what the components say that were started in another process.
    var readers: [InstanceID: Task<Void, Never>] = [:]

    /// The picture of what the person is asked about, by its digest.
    var asked: (digest: String, picture: AppPicture)?

    /// What serves apps; nil before it was asked for.
    var core: AppsCore?
    var session: CoreSession?
    /// What windows say around apps.
    private var windowWords: (@Sendable () async -> WindowWords)?
    private var requestWords: (@Sendable (CapabilityRequest, AppManifest) async -> RequestWords)?
    /// How often another core was chosen.
    var coreChoice = 0

    init(path: String, configuration: AppsConfiguration) {
        self.path = path
        self.configuration = configuration
        (events, event) = AsyncStream.makeStream()
    }

    /// - Parameters:
    ///   - words: what windows say around apps, asked for each window.
    ///   - requests: what they say of something that an app asks for.
    func speak(
        _ words: @escaping @Sendable () async -> WindowWords,
        requests: @escaping @Sendable (CapabilityRequest, AppManifest) async -> RequestWords
    ) { (windowWords, requestWords) = (words, requests) }

    nonisolated func tell(_ news: Event) { event.yield(news) }

    // The library.

    func library() async throws -> AppLibrary {
        if let opened { return opened }
        let path = path
        let library = try await waiting { try AppLibrary(path: path) }
        opened = opened ?? library
        return library
    }

    func onDisk<Value: Sendable>(_ body: @escaping @Sendable (AppLibrary) throws -> Value) async throws -> Value {
        let library = try await library()
        return try await waiting { try body(library) }
    }

    /// One after the other, in the order of the calls.
    nonisolated func waiting<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            disk.async { continuation.resume(with: Result(catching: body)) }
        }
    }

    // The runtime.

    func runtime() async throws -> AppRuntime {
        let library = try await library()
        if let current { return current }
        guard !isOver else { throw CancellationError() }
        do {
            var settings = configuration.settings
            if let windowWords { settings.windowWords = windowWords }
            if let requestWords { settings.requestWords = requestWords }
            let runtime = try AppRuntime.open(library, settings: settings, sandbox: configuration.sandbox)
            current = runtime
            return runtime
        } catch {
            throw Failure(.appsUnavailable, error.explanation, retryable: true)
        }
    }

    /// Asks who runs the apps. If that process has ended, this one takes over.
    func ask(_ request: AppControlRequest) async throws -> AppControlReply {
        let runtime = try await runtime()
        do {
            return try await runtime.control.ask(request)
        } catch {
            guard try await hasLeft(runtime) else { throw error }
            return try await self.runtime().control.ask(request)
        }
    }

    /// Whether a runtime was that of another process, which has ended. It is forgotten then, and so is what ran there.
    func hasLeft(_ runtime: AppRuntime) async throws -> Bool {
        let library = try await library()
        guard runtime.platform == nil, AppRuntime.elsewhere(library) == nil else { return false }
        if current === runtime { leave() }
        return true
    }

    private func leave() {
        current = nil
        for component in running.values { show(component, as: .stopped) }
        for reader in readers.values { reader.cancel() }
        (running, ended, readers) = ([:], [:], [:])
    }

    /// Whether an instance belongs to a runtime that counts.
    func isCurrent(_ runtime: AppRuntime) -> Bool { current === runtime }

    var hasRuntime: Bool { current != nil }

    // The end.

    /// Ends what runs here. The next request opens it again.
    func close() async {
        following = nil
        await endCore()
        core = nil
        let runtime = current
        leave()
        await runtime?.close()
    }

    /// The end: no event comes any more.
    func stop() async {
        isOver = true
        await close()
        event.finish()
    }

    /// Ends all that apps do, wherever they run, for good. Their files are for the caller to remove.
    func end() async {
        if let listing = try? await onDisk({ try $0.list() }) {
            for domain in listing.apps.map(\.domain.name) + listing.damaged.map(\.domain.name) {
                _ = try? await ask(.packsChanged(app: domain, because: .removal))
                try? await configuration.scheduler?.cancel(app: domain)
            }
        }
        await close()
        opened = nil
    }
}

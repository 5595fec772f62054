internal import Components

/// One run of one component. It belongs to the platform, whose actor alone touches it.
final class Instance {
    typealias ID = UInt64

    let id: ID
    let app: RunningApp
    let component: AppComponent
    /// What it was started with, which it can ask for as long as it runs.
    let command: StartCommand?
    /// Whether it is one of those that start with the system, and is started again when it crashes.
    let isStartup: Bool
    /// Milliseconds since 1970.
    let since: Int64
    let startedAt = ContinuousClock.now
    /// How often it crashed in a row before this run.
    let crashes: Int

    /// What it may fill of this process' memory.
    let memory: MemoryBudget
    let link = InstanceLink()
    let transcript = Transcript()
    /// Commands that came while it ran.
    let commands = CommandQueue()
    var connection: ObjectConnection?
    var running: (any RunningComponent)?
    var state = InstanceState.starting
    /// Why others end it; nil if it ends by itself.
    var stopReason: StopReason?
    /// Whether a script of it threw something that it did not catch.
    var hasFailed = false
    /// The services that it has exposed.
    var services: [String: ExposedService] = [:]
    /// The rpc connections that it serves, and those that it made.
    var pipes: [ServicePipe.ID: ServicePipe] = [:]
    /// The permissions that the connections it made stand on.
    var made: [ServicePipe.ID: Permission] = [:]
    /// How many pages of a browser show it.
    var pages = 0
    /// Ends it if none does for a while.
    var vigil: Task<Void, Never>?
    /// Those who wait for it to expose a service.
    var waitingForService: [String: [CheckedContinuation<ExposedService?, Never>]] = [:]
    /// Those who wait for its end.
    var waitingForEnd: [CheckedContinuation<Void, Never>] = []

    init(
        id: ID, app: RunningApp, component: AppComponent, command: StartCommand?, isStartup: Bool, since: Int64,
        crashes: Int, memory: MemoryBudget
    ) {
        self.memory = memory
        self.id = id
        self.app = app
        self.component = component
        self.command = command
        self.isStartup = isStartup
        self.since = since
        self.crashes = crashes
    }

    var entryPoint: PackPath { component.entryPoint }

    var access: PermissionCheck { PermissionCheck(app: app, component: component, transcript: transcript) }

    /// What it may do now.
    var permissions: Permissions { access.permissions }

    var isLive: Bool { state == .starting || state == .running }

    var summary: RunningInstance {
        RunningInstance(
            id: id, app: app.domain.name, version: app.manifest.version.text, entrypoint: entryPoint.text, state: state,
            since: since, memory: running?.memory ?? 0)
    }

    /// How many connections one of its services has.
    func served(_ service: String) -> Int { pipes.values.count { $0.service == service && $0.server == id } }

    /// Who it is to those it calls.
    var caller: Caller { .component(entryPoint, of: app.domain) }
}

/// A service that a component exposed: where new connections go.
struct ExposedService: Sendable {
    let connections: AsyncStream<ServicePipe>.Continuation
}

import Agents
package import AppCore
import Apps
import Cryptography
import Notifications
import Rooms
import Sealing
import Storage

/// Runs the core on this machine: gives it what happens, saves what it changed, and does what it asks for.
///
/// The host decides nothing. It keeps one order: an outcome's records are on disk before its effects are carried out, so a
/// message is acknowledged only after it was saved, and an effect is under way only if a restart would issue it again.
package actor AppHost {
    private var core: HostedCore
    /// Why a core in a library did not take its last input; `nil` if it did.
    package private(set) var coreFailure: String?
    private let recentMessages: Int?
    let profile: Profile
    let rooms: RoomsService
    let recorder: Recorder?
    let flight: FlightRecorder
    /// Given up when it has opened the profile.
    private var handedOver: SecretBytes?
    package nonisolated let filesFolder: String
    /// Shows a file outside.
    let show: @Sendable (String) -> Bool
    let openPage: (@Sendable () -> Bool)?
    let notesFolder: String
    /// What the system calls the person, and the language that it speaks.
    let (person, language): (String, String)
    /// Copies files for the person, one after the other.
    let saving = BlockingQueue("alcove.host.saving")
    /// Seals profiles into archives, and opens them.
    /// Files in the folder of archives that no view shows yet.
    var unfinishedArchives: Set<String> = []
    let archiving = BlockingQueue("alcove.host.archiving")
    /// Has the process begin anew; `nil` if it does not.
    var beginAnew: (@Sendable () -> Void)?
    /// What is to stand in the place of this profile once the process has stopped.
    package internal(set) var restored: StagedProfile?
    /// Adds up what is on the disk.
    let measuring = BlockingQueue("alcove.host.measuring")
    nonisolated let notifications: (any NotificationService)?
    /// The question that was asked on the desktop last, and how long the next one waits.
    var askedOnDesktop: EffectID?
    var desktopPause = DesktopPause()
    let clock: @Sendable () -> Timestamp

    private var queues = EffectQueues()
    private var hasStarted = false
    private var listener: Task<Void, Never>?
    private var noteListener: Task<Void, Never>?
    private var appListener: Task<Void, Never>?
    private var notificationListener: Task<Void, Never>?
    var alarm: Task<Void, Never>?
    var tasks: [EffectID: Task<Void, Never>] = [:]
    /// The effects that hold links and watches, and deliveries that wait for their acknowledgement.
    var held = HeldEffects()
    let notes: NotesFolder
    let sharing: NoteSharing
    var heldNotes = HeldNotes()
    var lastNoteChange: Task<Void, Never>?
    let apps: HostedApps
    var heldApps: EffectID?
    /// Those of ``tasks`` that are about apps.
    var appTasks: Set<EffectID> = []
    var lastAppChange: Task<Void, Never>?
    /// The agents that run, and those that are on their way out.
    var heldAgents: [AgentSessionID: HostedAgent] = [:]
    /// Agents that are asked which sessions they have.
    var askedAgents: [EffectID: any AgentProvider] = [:]
    var closing: [AgentSessionID: HostedAgent] = [:]
    let agentSharing: AgentSharing
    let supervisors: SupervisorPlace?
    /// The supervisors that there were when this process began, until the forgotten ones are ended.
    var formerSupervisors: [String] = []
    private var sharedAgentListener: Task<Void, Never>?

    /// Records that are not on disk yet, as they were after the last step that changed them; nil removes.
    private var unsaved: [RecordKey: [UInt8]?] = [:]
    /// Rooms all whose messages are to go from the disk before ``unsaved`` is saved.
    private var cleared: Set<RoomID> = []
    private var waiting: [Effect] = []
    var opened = OpenedKeys()
    /// Keys to be marked as used together with ``unsaved``.
    private var spent: [KeyUse] = []
    /// How many keys were marked as used since the start.
    package private(set) var keysSpent = 0
    /// Set when no effect is carried out any more, and when no action is taken any more.
    private(set) var isStopping = false
    private var isStopped = false
    /// Why nothing more can be saved, as the core was told.
    private var storageFailure: Failure?
    private var isLookingAgain = false
    let tellOfMove: (@Sendable (Int, Int) -> Void)?
    /// Seals anew what an older key of the vault sealed.
    var resealing: Task<Void, Never>?
    private var observers: [Int: AsyncStream<Void>.Continuation] = [:]
    private var nextObserver = 0

    /// Opens a profile. Nothing moves before ``start()``.
    /// - Throws: ``ProfileError`` if the profile cannot be used, for example because another process has it.
    package init(_ configuration: HostConfiguration) throws {
        core = try HostedCore(library: configuration.core)
        recentMessages = core.hasViews ? configuration.recentMessages : nil
        profile = try Profile(path: configuration.profile)
        recorder = try configuration.recording.map(Recorder.init(path:))
        flight = FlightRecorder(profile)
        clock = configuration.clock
        handedOver = configuration.handedOverKey
        filesFolder = configuration.filesFolder
        (show, openPage) = (configuration.show, configuration.openPage)
        notesFolder = configuration.notesFolder
        (person, language) = (configuration.person, configuration.language)
        notifications = configuration.notifications
        tellOfMove = configuration.tellOfMove
        rooms = RoomsService(
            network: configuration.network, keys: profile, deliveries: profile, sealing: profile,
            filesFolder: filesFolder)
        notes = NotesFolder(
            path: configuration.notesFolder, home: ProfileDirectory.notesHome(of: configuration.profile),
            person: configuration.person)
        sharing = NoteSharing(rooms: rooms, folder: notes)
        agentSharing = AgentSharing(rooms: rooms, profile: profile)
        supervisors = configuration.supervisor.map {
            SupervisorPlace(program: $0, folder: ProfileDirectory.supervisorsFolder(of: configuration.profile))
        }
        apps = HostedApps(
            path: ProfileDirectory.appsFolder(of: configuration.profile), configuration: configuration.apps)
    }

    /// Loads the profile into the core and begins to execute effects.
    package func start() async {
        guard !hasStarted else { return }
        hasStarted = true
        formerSupervisors = supervisors?.all ?? []
        listener = Task { [rooms] in
            for await report in rooms.reports { await self.handle(report) }
        }
        noteListener = Task { [sharing] in
            for await event in sharing.events { self.dispatch(.event(event)) }
        }
        sharedAgentListener = Task { [agentSharing] in
            for await event in agentSharing.events { self.dispatch(.event(event)) }
        }
        appListener = Task { [apps] in
            for await event in apps.events { self.hear(event) }
        }
        await apps.speak { [weak self] in
            await self?.windowWords ?? WindowWords()
        } requests: { [weak self] request, manifest in
            await self?.requestWords(request, manifest) ?? RequestWords(request)
        }
        if let notifications {
            notificationListener = Task {
                for await id in notifications.opened { self.dispatch(.event(Self.opened(notification: id))) }
            }
        }
        // A core that has all messages counts none, and the counts of a run before would be wrong after it.
        if !hasPages { try? profile.forgetCounts() }
        dispatch(
            .event(
                .started(
                    locked: profile.isLocked,
                    records: (try? profile.records(recent: hasPages, tellOfMove: tellOfMove)) ?? [],
                    recent: recentMessages)))
        if let key = handedOver.take(), profile.isLocked {
            dispatch(.app(.unlock(passphrase: profile.pass(handedOver: key))))
        }
        takeUpVault()
        tidyArchives()
        let members = core.state().rooms.filter(\.isMember).map(\.id)
        dispatch(await keys(of: members).map(Action.event))
    }

    /// Closes every link and stops. What was not delivered stays in the outbox.
    package func stop() async {
        guard !isStopping else { return }
        isStopping = true
        alarm?.cancel()
        for task in tasks.values { task.cancel() }
        for effect in queues.all { await effect.value }
        await endAgents()
        await rooms.stop()
        // What the subsystem reported until its end is still heard: it may have forgotten it already.
        await listener?.value
        await sharing.stop()
        await noteListener?.value
        await agentSharing.stop()
        await sharedAgentListener?.value
        await notes.close()
        await apps.stop()
        await appListener?.value
        await notifications?.end()
        await notificationListener?.value
        await stopResealing()
        save()
        await flight.finish(with: core.state())
        isStopped = true
        for observer in observers.values { observer.finish() }
        profile.close()
    }

    /// Several steps; their intermediate states are not visible.
    package func dispatch(_ actions: [Action]) {
        for action in actions { dispatch(action) }
    }

    /// One step of the loop.
    package func dispatch(_ action: Action) { dispatch(action, in: nil) }

    /// One step of the loop, in a view.
    /// - Parameter fresh: ids that a client made, so that what it sends again happens once; `nil` has the host make them.
    package func dispatch(_ action: Action, in view: ViewID?, fresh: Fresh? = nil) {
        guard !isStopped else { return }
        recall(for: action)
        var random = SystemRandomNumberGenerator()
        let input = Input(at: clock(), fresh: fresh ?? Fresh(using: &random), view: view, action: action)
        recorder?.record(input)
        do {
            let step = try core.dispatch(input)
            flight.record(
                input, leadingTo: core.state(), deletes: step.effects.contains(where: \.kind.deletes))
            for record in step.records {
                unsaved.updateValue(record.value, forKey: record.key)
                if case .log(let room) = record.key, record.value == nil { cleared.insert(room) }
            }
            if case .event(.started) = action { tellNotesTheName() }
            if step.records.contains(where: { $0.key == .settings }) { tellNotesTheName() }
            waiting += step.effects
            spent += opened.spent(by: step.effects)
            coreFailure = nil
        } catch {
            // Only a foreign core can fail. Nothing has happened then, and the next input may be taken.
            coreFailure = "\(error)"
        }
        save()
        for observer in observers.values { observer.yield() }
    }

    /// Saves what changed; only then its effects go out. If the disk refuses, both are kept and tried again.
    private func save() {
        do {
            // What has effects in the world must not be taken back by a power cut; the rest may be, and is said again.
            try profile.save(
                unsaved.map { (key: $0.key, value: $0.value) }, clearing: cleared,
                receiving: Received(spent, waiting), durably: !waiting.isEmpty)
        } catch {
            let failure = error.saysDiskIsFull ? Failure(.diskFull) : Failure(.storageFailed)
            performUnsaved(failure)
            tell(storage: failure)
            return lookAgainAtStorage()
        }
        unsaved.removeAll()
        cleared.removeAll()
        keysSpent += spent.count
        spent.removeAll()
        for effect in waiting { queues.add(effect) { await self.execute($0) } }
        waiting.removeAll()
        // What was saved now may have been saved in the place of the reserve.
        tell(storage: profile.reserve.isKept ? nil : Failure(.diskFull))
        if storageFailure != nil { lookAgainAtStorage() }
    }

    /// These messages as they are now: a change that is not on the disk yet counts.
    func newest(_ records: [Record]) -> [Record] {
        records.compactMap { record in
            guard let change = unsaved[record.key] else { return record }
            return change.map { Record(key: record.key, json: String(decoding: $0, as: UTF8.self)) }
        }
    }

    /// Messages whose changes are not on the disk yet.
    var unsavedMessages: Set<AppCore.MessageID> {
        Set(unsaved.keys.compactMap { key in if case .message(_, let id) = key { id } else { nil } })
    }

    /// Does what a person waits for and what needs nothing saved before, in their order, while the disk refuses.
    private func performUnsaved(_ failure: Failure) {
        if let end = waiting.lastIndex(where: { $0.kind.erasesAll }) {
            // It leaves a note of its own. What was asked for before is gone with all that it was about.
            queues.add(waiting[end]) { await self.execute($0) }
            waiting.removeSubrange(...end)
            spent.removeAll()
        }
        var kept: [Effect] = []
        for effect in waiting {
            switch effect.kind {
            case .unlock where !kept.contains(where: { $0.kind == .lock }):
                queues.add(effect) { await self.execute($0) }
            case .unlock, .setPassphrase:
                // It does not wait for room: the person waits for the answer, and the passphrase is not to be kept for long.
                Task { dispatch(.event(.effectFailed(effect: effect.id, failure: failure))) }
            default: kept.append(effect)
            }
        }
        waiting = kept
    }

    /// Whether the core leaves most messages on the disk.
    var hasPages: Bool { recentMessages != nil }

    /// Whether everything the core was told so far is on disk.
    package var isSaved: Bool { unsaved.isEmpty }

    /// Lets the core know when it changed whether something can be saved.
    private func tell(storage failure: Failure?) {
        guard failure != storageFailure else { return }
        storageFailure = failure
        // Not within the step that is being saved.
        Task { dispatch(.event(.storageChanged(failure: storageFailure))) }
    }

    private func lookAgainAtStorage() {
        guard !isLookingAgain else { return }
        isLookingAgain = true
        Task {
            try? await Task.sleep(for: .seconds(1))
            isLookingAgain = false
            guard !isStopped else { return }
            profile.reserve.keep()
            save()
        }
    }

    // Looking at the core.

    /// Reads something from the state. Copy out what you need: holding the whole state makes the next step copy it.
    package func read<Value: Sendable>(_ look: (AppState) throws -> Value) rethrows -> Value { try look(core.state()) }

    /// What is on the screen now.
    package var tree: SemanticNode { core.tree }

    /// What is on the screen of a view now; `nil` if it is not open.
    package func tree(for view: ViewID, windows: [String: Window.Request] = [:]) -> SemanticNode? {
        core.tree(for: view, windows: windows)
    }

    /// What a view offers at a node now; `nil` if that is gone.
    package func offer(
        _ verb: Offer.Verb, at node: String, in view: ViewID, windows: [String: Window.Request]
    ) -> Offer? {
        core.offer(verb, at: node, in: view, windows: windows)
    }

    /// A signal after each step; several steps may be signalled at once.
    package func changes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = nextObserver
        nextObserver += 1
        observers[number] = continuation
        continuation.onTermination = { _ in Task { await self.forget(number) } }
        continuation.yield()
        return stream
    }

    private func forget(_ number: Int) { observers[number] = nil }

    /// Waits until the state shows what is looked for.
    /// - Returns: nil if it did not within the time limit.
    package nonisolated func wait<Value: Sendable>(
        upTo limit: Duration,
        for look: @escaping @Sendable (AppState) -> Value?
    ) async -> Value? {
        await withTaskGroup(of: Value?.self) { group in
            group.addTask {
                for await _ in await self.changes() {
                    if let found = await self.read(look) { return found }
                }
                return nil
            }
            group.addTask {
                try? await Task.sleep(for: limit)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }

    /// The text behind a reference that the tree or the state shows; nil if it is not known (any more).
    package func secret(_ ref: SecretRef) -> String? { profile.secret(ref) }

    /// Puts a secret away for the core to refer to: join words as they were typed, a passphrase.
    package func keep(secret: String) throws -> SecretRef { try profile.keep(secret: secret) }

    /// Cuts a room's connections at once and without a word, as if the network had gone: for tests and the demo.
    package func sever(_ room: RoomID) async { await rooms.sever(room.text) }
}

extension Effect.Kind {
    fileprivate var erasesAll: Bool { if case .eraseAll = self { true } else { false } }

    /// Whether nothing that was written down before may outlive it.
    fileprivate var deletes: Bool {
        switch self {
        case .deleteRooms, .eraseAll: true
        default: false
        }
    }
}

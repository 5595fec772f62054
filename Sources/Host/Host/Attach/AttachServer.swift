import Agents
import AppCore
import Foundation
import Networking

/// Lets other programs of the same person use this host, over a socket in the profile: each in a view of its own.
///
/// A client that loses its connection goes on in its view when it comes back within ``viewLife``.
package actor AttachServer {
    let host: any AttachedHost
    /// Files that pages gave.
    package nonisolated let uploads: ClientUploads
    private var server: LineChannelServer?
    private var views: [String: AttachedView] = [:]
    private var nextView = 1
    private var isEnding = false
    /// When a client last did or looked at something.
    private var lastActivity = ContinuousClock.now
    private let isSpare: @Sendable () async -> Bool
    private let whenAsked: @Sendable (_ restart: Bool) -> Void
    /// Makes an address that lets one browser see the page.
    private var page: (@Sendable (_ port: Int?) async throws -> String)?
    /// The options with which the host process runs, as ``ClientFrame/hello(v:session:rev:screens:options:)`` has them.
    private let options: [String: [String]]

    /// How long a view outlives its connection.
    static let viewLife = Duration.seconds(600)
    /// Clients at the same time: one view each, beside the main one.
    static let clients = ViewList.limit - 1

    /// Connections at the same time, also of who has not said yet what it is.
    static let connections = 64

    /// The socket of a profile.
    package static func path(of profile: String) -> String { profile + "/host.sock" }

    /// - Parameters:
    ///   - options: those of the command line that configure this process; a client hears which of its own differ.
    ///   - isSpare: whether the process may end when nobody is attached.
    ///   - whenAsked: told when a client asks the host process to end, or to begin anew.
    package init(
        _ host: any AttachedHost, options: [String: [String]] = [:],
        isSpare: @escaping @Sendable () async -> Bool = { false },
        whenAsked: @escaping @Sendable (_ restart: Bool) -> Void = { _ in }
    ) {
        self.host = host
        uploads = ClientUploads(files: host.filesFolder)
        self.options = options
        self.isSpare = isSpare
        self.whenAsked = whenAsked
    }

    /// Listens, for this user only.
    /// - Throws: `NetworkingError` if the socket cannot be made.
    package func start(profile: String) throws {
        var limits = LineChannel.Limits()
        limits.line = AttachLine.limit
        limits.waiting = 64 << 20
        let refusal = AttachLine.encode(HostFrame.bye(reason: .tooMany, retryMs: 5000))
        let server = LineChannelServer(
            path: Self.path(of: profile), connections: Self.connections, limits: limits, refusal: refusal
        ) { [weak self] in await self?.serve($0) }
        try server.start()
        self.server = server
        Task { await tidyUploads() }
    }

    /// Tells every client that the host ends, and stops listening.
    /// - Parameter restarts: whether clients should come again.
    package func stop(restarts: Bool = false) async {
        isEnding = true
        for view in views.values { await view.say(.bye(reason: .ending, retryMs: restarts ? 100 : nil)) }
        await server?.stop()
        server = nil
        for view in views.values { await close(view) }
    }

    /// Clients that are connected now.
    package var count: Int {
        get async {
            var count = 0
            for view in views.values where await view.isConnected { count += 1 }
            return count
        }
    }

    /// Whether the process would end if the one client that is there left.
    func mayMakeWay() async -> Bool {
        guard await count <= 1 else { return false }
        return await isSpare()
    }

    func noteActivity() { lastActivity = .now }

    /// Locks a profile with auto-lock in which nobody has done or looked at anything for a while, in any view.
    package func lockIfIdle(for patience: Duration) async {
        // Whoever speaks does something, up to the end of what can be recorded.
        guard await !isSomebodySpeaking else { return noteActivity() }
        guard .now - lastActivity >= patience, await host.read({ $0.settings.autoLock && !$0.lock.isLocked }) else {
            return
        }
        await host.dispatch(.app(.lock))
    }

    /// Whether a client that is here records something. One that went without a word does not.
    private var isSomebodySpeaking: Bool {
        get async {
            var speaking = await host.read { Set($0.views.filter { $0.recording?.isOn == true }.map(\.id)) }
            for view in views.values where speaking.contains(view.id) {
                if await !view.isConnected { speaking.remove(view.id) }
            }
            return !speaking.isEmpty
        }
    }

    /// - Parameter address: makes an address that lets one browser see the page, and throws a ``Failure`` if there is none.
    package func servePage(_ address: @escaping @Sendable (_ port: Int?) async throws -> String) { page = address }

    /// A picture of a note; `nil` if there is none, or the profile is locked.
    /// - Returns: its media type (`image/png`) and its bytes.
    package func picture(_ id: String, of note: String) async -> (type: String, bytes: [UInt8])? {
        // Whoever sees a picture sees the list of notes: nothing is opened for a name that nobody has.
        guard await host.read({ !$0.lock.isLocked && $0.notes.list[NoteID(note)] != nil }) else { return nil }
        return await host.lender?.picture(id)
    }

    /// A picture that goes along with a prompt, or went; `nil` if no session shows it, or the profile is locked.
    /// - Returns: its media type (`image/png`) and its bytes.
    package func promptPicture(_ id: String) async -> (type: String, bytes: [UInt8])? {
        let id = AgentPictureID(id)
        guard await host.read({ !$0.lock.isLocked && $0.talks.pictures.contains(id) }),
            let picture = try? host.lender?.profile.picture(id)
        else { return nil }
        return (picture.type, picture.bytes)
    }

    /// The address of the page for one browser.
    func pageAddress(port: Int?) async throws -> String {
        guard let page else { throw Failure(.other, "this host process serves no page") }
        return try await page(port)
    }

    func endWhenAsked(restart: Bool) { whenAsked(restart) }

    // MARK: - Clients

    /// Talks to a client until its connection ends.
    package func serve(_ channel: any ClientChannel, as kind: ClientKind = .program) async {
        func refuse(_ reason: HostFrame.Code, retryMs: Int64? = nil) {
            channel.send(AttachLine.encode(HostFrame.bye(reason: reason, retryMs: retryMs)))
        }
        // Whoever says nothing is not waited for.
        let patience = Task {
            if (try? await Task.sleep(for: .seconds(10))) != nil { channel.cut() }
        }
        let first = await channel.next()
        patience.cancel()
        guard !isEnding, let first else { return }
        guard
            case .hello(let version, let session, let revision, let screens, let wanted, let can) =
                try? AttachLine.decode(
                    ClientFrame.self, from: first)
        else { return refuse(.badFrame) }
        guard version == attachVersion else { return refuse(.wrongVersion) }
        guard let view = await view(of: session, kind) else { return refuse(.tooMany, retryMs: 5000) }
        let differing = await differing(from: wanted ?? [:])
        await view.talk(
            over: channel, knows: session == view.session ? revision : nil, screens: screens ?? [], differs: differing,
            options: options, can: (can ?? []).compactMap(ViewAbility.init))
        await forget(view, after: Self.viewLife)
    }

    /// Which options of a client are not those of this process. The server may also have been set in the profile.
    private func differing(from wanted: [String: [String]]) async -> [String] {
        let server = await host.read(\.settings.server)
        return wanted.filter { options[$0.key] != $0.value && ($0.key != "server" || $0.value != [server]) }.keys
            .sorted()
    }

    /// The view of an earlier connection, or a new one; `nil` if there are too many.
    private func view(of session: String?, _ kind: ClientKind) async -> AttachedView? {
        if let session, let known = views[session], known.kind == kind { return known }
        if views.count >= Self.clients { await dropOldest() }
        guard views.count < Self.clients else { return nil }
        let view = AttachedView(ViewID("client\(nextView)"), for: kind, of: self, host)
        nextView += 1
        views[view.session] = view
        if kind == .page { uploads.open(view.session) }
        await host.dispatch(.app(.openView), in: view.id)
        return view
    }

    /// Makes room: the view that has been without its client longest goes.
    private func dropOldest() async {
        var oldest: (view: AttachedView, left: ContinuousClock.Instant)?
        for view in views.values {
            guard let left = await view.left else { continue }
            if oldest.map({ left < $0.left }) ?? true { oldest = (view, left) }
        }
        if let oldest { await close(oldest.view) }
    }

    private func forget(_ view: AttachedView, after life: Duration) async {
        guard let left = await view.left else { return }
        Task { [weak self] in
            try? await Task.sleep(for: life)
            guard await view.left == left else { return }
            await self?.close(view)
        }
    }

    private func close(_ view: AttachedView) async {
        guard views.removeValue(forKey: view.session) != nil else { return }
        uploads.close(view.session)
        await host.dispatch(.app(.closeView), in: view.id)
        await view.forgetUnusedSecrets()
        if view.kind == .page { await tidyUploads() }
        await host.tidyArchives()
    }

    // MARK: - Files

    /// Removes copies that pages gave and that no message uses any more.
    private func tidyUploads() async {
        await uploads.tidy { [host] message, room in
            await host.usesGivenFile(MessageID(message), in: RoomID(room))
        }
    }

    /// The file of a message, for who asks by HTTP.
    /// - Returns: `nil` if the state names none, or the profile is locked.
    package func file(of message: String, in room: String) async -> KeptFile? {
        await host.keptFile(of: MessageID(message), in: RoomID(room))
    }

    /// An archive of the profile that a page shows.
    package func archive(_ handle: String) async -> KeptFile? { await host.archive(handle) }

    package var isLocked: Bool { get async { await host.read(\.lock.isLocked) } }
}

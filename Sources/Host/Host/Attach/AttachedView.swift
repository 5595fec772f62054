import AppCore
import Foundation
import Networking
import Sealing

/// One client of an ``AttachServer`` and its view: does what its frames say, and tells it what is different.
///
/// One patch is on its way at a time: the next is made of the latest state once the client has shown the last one. So a client that is
/// slow gets fewer patches and not a queue of them.
actor AttachedView {
    nonisolated let id: ViewID
    /// Known to this client alone.
    nonisolated let session: String
    nonisolated let kind: ClientKind
    weak let server: AttachServer?
    let host: any AttachedHost
    private var channel: (any ClientChannel)?
    private var windows = AttachedView.usualWindows
    /// The anchor that was looked for on the disk last.
    private var sought: String?
    /// What the client was last told of.
    private var shown: (revision: UInt64, tree: SemanticNode)?
    /// Where it was then.
    private var place: [Screen] = []
    private var revision: UInt64 = 0
    private var awaitsAck = false
    private var isDirty = false
    private var isTelling = false
    private var follows = false
    private var hasToldChange = false
    private var hasSaidBye = false
    /// What was done for this client already, newest last: it may ask again after a broken connection.
    private(set) var done: [Fresh] = []
    private(set) var left: ContinuousClock.Instant?
    /// Secrets that this client gave, of both kinds.
    private var secrets = 0
    /// Those of them that are on the disk.
    private(set) var kept: [SecretRef] = []
    /// Bytes that this client gave for its next question.
    var given: [UInt8] = []
    /// A file that this client opened and has not stored yet.
    var opening: OpenedMessage?

    /// Rows of a talk that come unasked.
    private static let usualWindows = [
        "chat.messages": Window.Request(before: 200, after: 0), "agent.items": Window.Request(before: 200, after: 0),
    ]
    /// Rows of them that come first when a talk opens: more than a screen is high.
    private static let firstRows = 40
    /// Lists for which windows can be asked.
    private static let windowLimit = 32
    private static let doneLimit = 1024
    /// Secrets that one client may give.
    private static let secretLimit = 1000
    /// Bytes of one: words, passphrases and keys are shorter.
    private static let secretBytes = 4096
    /// Frames a second that one client may send for long, and at once.
    private static let (rate, burst) = (200.0, 1000.0)

    init(_ id: ViewID, for kind: ClientKind, of server: AttachServer, _ host: any AttachedHost) {
        self.id = id
        self.kind = kind
        self.server = server
        self.host = host
        session = UUID().uuidString
    }

    var isConnected: Bool { channel != nil }

    /// Sends a frame; none after a `bye`, also if something that was asked before is answered only now.
    func say(_ frame: HostFrame) {
        guard !hasSaidBye else { return }
        if case .bye = frame { hasSaidBye = true }
        channel?.send(AttachLine.encode(frame))
    }

    // MARK: - Talking

    /// Talks to the client until the connection ends.
    func talk(
        over channel: any ClientChannel, knows known: UInt64?, screens: [Screen], differs: [String],
        options: [String: [String]] = [:], can: [ViewAbility]
    ) async {
        // The newest connection counts: the old one may be dead without anybody knowing.
        self.channel?.cut()
        self.channel = nil
        left = nil
        if known == nil || known != shown?.revision { shown = nil }
        let can = host.lender == nil ? can.filter { $0 != .documents } : can
        if await host.read({ [id] in $0.views[id]?.can ?? [] }) != can {
            await host.dispatch(.app(.tellAbilities(can: can)), in: id)
        }
        if await host.read({ [id] in $0.views[id]?.isLeft }) == true {
            await host.dispatch(.app(.tellWindow(on: true)), in: id)
        }
        if shown == nil {
            for screen in screens.prefix(16) { await host.dispatch(.app(.navigate(to: screen)), in: id) }
        }
        let isLocked = await host.read(\.lock.isLocked)
        // From here on without a wait: nothing is said on a connection before the welcome.
        (awaitsAck, isDirty, follows, hasToldChange, hasSaidBye) = (false, false, false, false, false)
        self.channel = channel
        // They may have the password of a relay: a page is told of none.
        let options = kind == .program ? options : nil
        say(
            .welcome(
                v: attachVersion, view: id, session: session, locked: isLocked, differs: differs.nonEmpty,
                options: options))
        let documents = LentDocuments(host.lender, to: id) { channel.send(AttachLine.encode($0)) }
        let pump = Task { [host] in
            for await _ in await host.changes() {
                guard !Task.isCancelled else { return }
                await documents.followState()
                await self.stateChanged()
                // No more often than a screen shows.
                try? await Task.sleep(for: .milliseconds(16))
            }
        }
        await read(channel, documents)
        pump.cancel()
        await documents.closeAll()
        guard self.channel === channel else { return }
        self.channel = nil
        left = .now
        await host.dispatch(.app(.becameInactive), in: id)
        await host.dispatch(.app(.tellWindow(on: false)), in: id)
    }

    private func read(_ channel: any ClientChannel, _ documents: LentDocuments) async {
        var (allowance, last) = (Self.burst, ContinuousClock.now)
        while let line = await channel.next() {
            let now = ContinuousClock.now
            allowance = min(Self.burst, allowance + (now - last) / .seconds(1) * Self.rate) - 1
            last = now
            guard allowance > 0 else { return say(.bye(reason: .flood, retryMs: 5000)) }
            guard let frame = try? AttachLine.decode(ClientFrame.self, from: line) else {
                // What is wrong in one request is the answer to that request.
                guard let refusal = AttachLine.refusal(of: line) else {
                    return say(.bye(reason: .badFrame, retryMs: nil))
                }
                say(refusal)
                continue
            }
            if case .hello = frame { return say(.bye(reason: .badFrame, retryMs: nil)) }
            guard self.channel === channel else { return }
            await hear(frame, documents)
        }
    }

    private func hear(_ frame: ClientFrame, _ documents: LentDocuments) async {
        if frame.isActivity { await server?.noteActivity() }
        switch frame {
        case .hello: break
        case .look(let windows, let front, let seen, let away): await look(windows, front, seen, away)
        case .act(let n, let fresh, let node, let verb, let inputs, let room):
            await act(n, fresh, node, verb, inputs ?? [:], room)
        case .dispatch(let n, let fresh, let action): await perform(n, fresh, action)
        case .answer(let n, let fresh, let event): await answer(n, fresh, event)
        case .secret(let n, let text, let once): await keep(n, text, once: once ?? false)
        case .ask(let n, HostQuery.qrCode.rawValue, _, _, _, _, let text, _, _, _): draw(n, text ?? "")
        case .ask(let n, HostQuery.talk.rawValue, _, _, _, _, _, let session, let item, let since):
            hasToldChange = false
            await answer(n, talk: session, from: item ?? 0, since: since ?? Timestamp(milliseconds: .max))
        case .ask(let n, let query, let ref, let room, let content, let port, _, _, _, _):
            if query == HostQuery.state.rawValue { hasToldChange = false }
            await answer(n, HostQuery(rawValue: query), ref, room, withContent: content ?? false, port: port)
        case .give(let n, let bytes): say(.did(n: n, code: take(bytes)))
        case .watch(let on):
            follows = on
            hasToldChange = false
        case .ack(let revision):
            guard revision == shown?.revision else { return }
            awaitsAck = false
            if isDirty { await tell() }
        case .stop(let n, _) where kind == .page: say(.did(n: n, code: .misfit))
        case .stop(let n, let restart):
            say(.did(n: n, code: nil))
            await server?.endWhenAsked(restart: restart ?? false)
        case .ping: say(.pong)
        case .docPicture(let n, let doc, let handle):
            guard let path = given(handle) else { return say(.reply(n: n, result: nil, code: .gone)) }
            await documents.hear(.docPicture(n: n, doc: doc, handle: path))
            forget(handle)
        case .docOpen, .docUpdate, .docAck, .docCursor, .docClose: await documents.hear(frame)
        }
    }

    // MARK: - What the client does

    private func look(
        _ wanted: [String: Window.Request]?, _ front: Bool?, _ seen: [String: MessageID]?, _ away: Bool?
    ) async {
        if let seen, seen.count <= Self.windowLimit {
            if await host.read({ [id] in $0.views[id]?.tellsSeen }) != true {
                await host.dispatch(.app(.tellSeen), in: id)
            }
            for (room, message) in seen { await host.dispatch(.app(.seen(room: RoomID(room), upTo: message)), in: id) }
        }
        if let wanted, wanted.count <= Self.windowLimit {
            windows = Self.usualWindows.merging(wanted) { _, new in new }
            sought = nil
        }
        if let away { await host.dispatch(.app(.tellAway(on: away)), in: id) }
        if let front { await host.dispatch(.app(front ? .becameActive : .becameInactive), in: id) }
        await stateChanged()
    }

    private func act(
        _ n: UInt64, _ fresh: Fresh?, _ node: String, _ verb: Offer.Verb, _ inputs: [String: JSONValue],
        _ room: RoomID?
    ) async {
        if let fresh, done.contains(fresh) { return say(.did(n: n, code: nil)) }
        if let room, await host.read({ [id] in $0.views[id]?.screen.room }) != room {
            return say(.did(n: n, code: .gone))
        }
        guard let offer = await host.offer(verb, at: node, in: id, windows: windows) else {
            return say(.did(n: n, code: .gone))
        }
        guard let action = try? offer.action(filledWith: inputs) else { return say(.did(n: n, code: .misfit)) }
        await perform(n, fresh, action)
    }

    private func perform(_ n: UInt64, _ fresh: Fresh?, _ action: Action) async {
        switch action {
        // What the world reports only the host knows, and a view comes and goes with its connection.
        case .event, .app(.openView), .app(.closeView): return say(.did(n: n, code: .misfit))
        case .app: break
        // Only what the lock screen offers is heard while the profile is locked.
        default: if await host.read({ $0.lock.isLocked }) { return say(.did(n: n, code: .locked)) }
        }
        await happen(n, fresh, action)
    }

    /// Lets something happen, once, and says what became of it.
    func happen(_ n: UInt64, _ fresh: Fresh?, _ action: Action) async {
        if let fresh {
            guard !done.contains(fresh) else { return say(.did(n: n, code: nil)) }
            done.append(fresh)
            if done.count > Self.doneLimit { done.removeFirst() }
        }
        var random = SystemRandomNumberGenerator()
        let fresh = fresh ?? Fresh(using: &random)
        do {
            let room = await roomOfFile(in: action)
            let action = try await placed(action, fresh, in: room)
            await host.dispatch(action, in: id, fresh: fresh)
            await settle(action, fresh, in: room)
        } catch {
            done.removeAll { $0 == fresh }
            return say(.did(n: n, code: error.code))
        }
        say(.did(n: n, code: await host.isSaved ? nil : .unsaved))
        // Whoever acts waits for what comes of it, and what is read in here has a limit. Only what others do keeps to the pace of a screen.
        await tell()
    }

    private func keep(_ n: UInt64, _ text: String, once: Bool) async {
        secrets += 1
        guard secrets <= Self.secretLimit else { return say(.reply(n: n, result: nil, code: .flood)) }
        guard text.utf8.count <= Self.secretBytes else { return say(.reply(n: n, result: nil, code: .misfit)) }
        guard let ref = try? await once ? host.hold(secret: text) : host.keep(secret: text) else {
            let isLocked = await host.read { $0.lock.isLocked }
            return say(.reply(n: n, result: nil, code: isLocked ? .locked : .unsaved))
        }
        if !once { kept.append(ref) }
        say(.reply(n: n, result: .string(ref.text), code: nil))
    }

    /// The view closes: what it gave and nothing refers to would lie on the disk for ever.
    func forgetUnusedSecrets() async {
        guard !kept.isEmpty else { return }
        // A locked core does not know what its rooms refer to.
        guard let used = await host.read({ $0.lock.isLocked ? nil : $0.secrets }) else { return }
        await host.forget(unused: Set(kept).subtracting(used))
        kept = []
    }

    // MARK: - What the client is told

    private func stateChanged() async {
        if follows, !hasToldChange {
            hasToldChange = true
            say(.changed)
        }
        await tell()
    }

    /// Tells what is different, unless the client is still busy with the last difference.
    private func tell() async {
        isDirty = true
        guard !isTelling else { return }
        isTelling = true
        defer { isTelling = false }
        while isDirty, !awaitsAck, let listener = channel {
            isDirty = false
            let screens = await host.read { [id] in $0.views[id]?.screens ?? [] }
            let opens = screens != place
            if opens { isDirty = true }
            guard let tree = await host.tree(for: id, windows: opens ? firstWindows : windows) else {
                // The view is closed. Whoever came back to it meanwhile gets another one when it comes again.
                if !hasSaidBye { channel?.cut() }
                return
            }
            // It may be of another place by now, or for a client that came meanwhile, and knows nothing of what was shown before it.
            guard await host.read({ [id] in $0.views[id]?.screens ?? [] }) == screens, channel === listener else {
                isDirty = true
                continue
            }
            place = screens
            show(tree, screens)
            if !opens { await loadHistory(in: tree) }
        }
    }

    /// Whoever opens a talk waits for the rows that fill the screen, and not for those above: they come with the next difference.
    private var firstWindows: [String: Window.Request] {
        windows.mapValues { window in
            Window.Request(
                anchor: window.anchor, before: min(window.before, Self.firstRows),
                after: min(window.after, Self.firstRows))
        }
    }

    /// Has messages brought into memory that the client wants to see and that only the disk has.
    private func loadHistory(in tree: SemanticNode) async {
        guard let list = tree.find("chat.messages"), let request = windows[list.id] else { return }
        let place = request.anchor.map { anchor in list.children.firstIndex { $0.id == anchor } }
        if case .some(nil) = place, request.anchor != sought {
            // An anchor that is nowhere is looked for once.
            sought = request.anchor
            guard let anchor = request.anchor, let message = list.message(of: anchor),
                let room = await host.read({ [id] in $0.views[id]?.screen.room })
            else { return }
            return await host.dispatch(.chat(.findMessage(room: room, message: message)), in: id)
        }
        let (before, after) = (
            (place ?? nil) ?? list.children.count, (place ?? nil).map { list.children.count - $0 - 1 } ?? 0
        )
        if before < request.before, let offer = list.offers.first(where: { $0.verb == .loadEarlier }) {
            await host.dispatch(offer.action, in: id)
        } else if after < request.after, let offer = list.offers.first(where: { $0.verb == .loadLater }) {
            await host.dispatch(offer.action, in: id)
        }
    }

    private func show(_ tree: SemanticNode, _ screens: [Screen]) {
        guard let shown else { return showWhole(tree, screens) }
        let diff = TreeDiff(from: shown.tree, to: tree)
        guard !diff.isEmpty else { return }
        guard diff.replaced == nil else { return showWhole(tree, screens) }
        revision += 1
        self.shown = (revision, tree)
        awaitsAck = true
        say(
            .patch(
                from: shown.revision, rev: revision, removed: diff.removed.nonEmpty, placed: diff.placed.nonEmpty,
                updated: diff.updated.nonEmpty))
    }

    private func showWhole(_ tree: SemanticNode, _ screens: [Screen]) {
        revision += 1
        shown = (revision, tree)
        awaitsAck = true
        say(.tree(rev: revision, root: tree, screens: screens))
    }
}

extension Array {
    fileprivate var nonEmpty: [Element]? { isEmpty ? nil : self }
}

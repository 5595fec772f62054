import AppCore
import Catalogues
import Foundation
import Host

/// A conversation under way: what is typed becomes actions, what the tree shows becomes lines.
struct ChatSession: Sendable {
    let host: any ProfileHost
    let room: RoomID
    let json: Bool
    /// Whether a join code is drawn, too.
    let drawsCode: Bool
    /// The line in which a person writes; nil if lines come from elsewhere.
    let prompt: ChatPrompt?

    private let signals: Signals

    /// - Parameter signals: taken already, so that none ends the process while the terminal is raw.
    init(host: any ProfileHost, room: RoomID, json: Bool, drawsCode: Bool, signals: Signals) {
        (self.host, self.room, self.json, self.drawsCode, self.signals) = (host, room, json, drawsCode, signals)
        prompt = json ? nil : ChatPrompt()
    }

    /// How long the end waits for what was said to arrive.
    private static let patience = Duration.seconds(60)

    func run() async throws {
        let end = Task { await signals.wait() }
        let printer = Task { await follow() }
        let result: Result<Void, any Error>
        do { result = .success(try await untilTheEnd(end)) } catch { result = .failure(error) }
        // A revocation is said once: the end must not cut it off.
        _ = await untilTold()
        printer.cancel()
        await printer.value
        prompt?.end()
        try result.get()
    }

    private func untilTheEnd(_ end: Task<Void, Never>) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await listen() }
            group.addTask { try await watchForTheEnd() }
            group.addTask {
                await withTaskCancellationHandler {
                    await end.value
                } onCancel: {
                    end.cancel()
                }
                if !Task.isCancelled { try await untilDelivered(upTo: .zero) }
            }
            try await group.next()
            group.cancelAll()
        }
        if let problem = await problem() { throw problem }
    }

    /// Ends the conversation when nothing more can happen in the room.
    private func watchForTheEnd() async throws {
        var patience = ServerPatience()
        for await _ in await host.changes() {
            if let wait = patience.wait(for: await host.read { $0.rooms[room] }) {
                patience.spend(wait)
                show(ChatLine(kind: .status, text: ServerPatience.sentence(wait)))
                try await Task.sleep(for: wait)
                await host.dispatch(.rooms(.retryRoom(room: room)))
                continue
            }
            if let problem = await problem() { throw problem }
        }
        if let failure = await host.failure(next: wayBack()) { throw failure }
    }

    /// How the person goes on when the host process has ended.
    private func wayBack() async -> String {
        guard let title = await host.read({ $0.rooms[room]?.title }) else { return HostEnd.again }
        return "go on in another one with: alcove chat \(ShellWords.written([title]))"
    }

    /// Why nothing more can happen in the room; nil if something can.
    private func problem() async -> CommandFailure? {
        await host.read { state in
            guard !state.lock.isLocked else {
                return CommandFailure("the profile is locked; open the conversation again to unlock it", .noPermission)
            }
            guard let room = state.rooms[room] else { return CommandFailure("the room is gone", .unavailable) }
            guard room.status.isOver else { return nil }
            guard room.status != .failed else { return CommandFailure("the room could not be opened", .unavailable) }
            return CommandFailure("this room is over: \(room.status.rawValue)", .unavailable)
        }
    }

    // What is typed.

    private func listen() async throws {
        // What is said before the other person came waits here; commands do not have to wait behind it.
        let (said, saying) = AsyncStream<ChatInput>.makeStream()
        let speaker = Task { for await input in said where await canSpeak() { await take(input) } }
        let ending = await withTaskCancellationHandler {
            let ending = await read(saying)
            saying.finish()
            if ending == .leave { return ending }
            await speaker.value
            return ending
        } onCancel: {
            speaker.cancel()
        }
        speaker.cancel()
        guard !Task.isCancelled else { return }
        if ending == .leave { return try await leave() }
        await untilEntered()
        try await untilDelivered(upTo: Self.patience)
    }

    /// Waits until it is known whether there is a room: a person who ends before that wants to know, too.
    private func untilEntered() async {
        let room = room
        _ = await host.wait(upTo: ServerPatience.limit + Self.patience) { state -> Bool? in
            guard let room = state.rooms[room] else { return true }
            let isUnderWay = [.creating, .joining].contains(room.status) || ServerPatience().wait(for: room) != nil
            return isUnderWay ? nil : true
        }
    }

    /// Takes what is typed until the end of it.
    /// - Returns: how the person wants to end.
    private func read(_ saying: AsyncStream<ChatInput>.Continuation) async -> ChatInput {
        for await input in prompt?.inputs() ?? ChatInput.lines() {
            switch input {
            case .leave, .quit: return input
            case .say, .file, .voice, .place, .change:
                await tellThatItWaits(input)
                saying.yield(input)
            default: await take(input)
            }
        }
        return .quit
    }

    /// Waits until both have the room.
    private func canSpeak() async -> Bool {
        for await _ in await host.changes() where await host.read({ $0.rooms[room]?.status == .accepted }) {
            return true
        }
        return false
    }

    private func take(_ input: ChatInput) async {
        switch input {
        case .say(let text): await say(text)
        case .file(let line): await send(filesIn: line)
        case .voice(let line): await send(soundsIn: line)
        case .accept: await answerFile { .acceptFile(room: room, message: $0) }
        case .decline: await answerFile { .declineFile(room: room, message: $0) }
        case .cancel: await answerFile { .cancelFile(room: room, message: $0) }
        case .safety: await showSafetyNumber()
        case .compared(let matches): await host.dispatch(.chat(.compareSafetyNumber(room: room, matches: matches)))
        case .propose(let lifetime): await host.dispatch(.chat(.proposeLifetime(room: room, lifetime: lifetime)))
        case .answer(let accept): await host.dispatch(.chat(.answerLifetime(room: room, accept: accept)))
        case .change(let change, let back): await perform(change, back: back)
        case .ephemeral(let on): await host.dispatch(.chat(.setEphemeral(room: room, on: on)))
        case .place(let text): await host.dispatch(.chat(.sharePlace(room: room, text: text)))
        case .trust(let name): await trust(name)
        case .ignoreTrust: await host.dispatch(.circle(.declineTrust(room: room)))
        case .renewKeys: await host.dispatch(.circle(.renewKeys(room: room)))
        case .revoke(true): await host.dispatch(.circle(.revokeTrust(room: room, reason: nil)))
        case .revoke(false): show(ChatLine(kind: .notice, text: "every key of this person goes; say /revoke yes"))
        case .note(let request): for line in await ChatNotes(host: host, room: room).answer(request) { show(line) }
        case .status: await showStatus()
        case .help: showManual()
        case .mistaken(let hint): show(ChatLine(kind: .notice, text: hint))
        case .unsayable(let reason): show(ChatLine(kind: .notice, text: "Not sent: \(reason)"))
        case .nothing, .leave, .quit: break
        }
    }

    /// Says it. What the core refuses is printed again, so that the person need not write it twice.
    private func say(_ text: String) async {
        let last: @Sendable (AppState) -> AppCore.MessageID? = { [room] state in
            state.rooms[room]?.messages.all.last { $0.direction == .sent }?.id
        }
        let before = await host.read(last)
        await host.dispatch(.chat(.sendText(room: room, text: text)))
        guard await host.read(last) == before, text.contains(where: { !$0.isWhitespace }) else { return }
        if prompt?.putBack(text) != true { show(ChatLine(kind: .unsent, text: text)) }
        // The core keeps it in the composer, which is the line that was just printed.
        await host.dispatch(.chat(.setDraft(room: room, text: "")))
    }

    /// Does something about a message, counted from the end of those that it can be done to.
    private func perform(_ change: ChatChange, back: Int) async {
        let message = await host.read { state -> AppCore.MessageID? in
            let fitting = state.rooms[room]?.messages.all.filter(change.fits) ?? []
            return fitting.count >= back ? fitting[fitting.count - back].id : nil
        }
        guard let message else {
            let whose = change.isAboutOwn ? "of yours" : "of the other person"
            return show(ChatLine(kind: .notice, text: "there is no such message \(whose)"))
        }
        await host.dispatch(.chat(change.action(message, in: room)))
    }

    private func showSafetyNumber() async {
        let number = await host.read { $0.rooms[room]?.live.safetyNumber }
        show(
            number.map {
                ChatLine(
                    kind: .status, text: $0,
                    detail: "the same on both sides if nobody is in between; then say /compare yes")
            } ?? ChatLine(kind: .notice, text: "there is a safety number once both are connected"))
    }

    /// The other side's keys come a moment after the connection stands.
    private func trust(_ name: String?) async {
        let room = room
        _ = await host.wait(upTo: .seconds(10)) { state in
            state.rooms[room].flatMap { $0.canTrust ? true : nil }
        }
        await host.dispatch(.circle(.trustPeer(room: room, name: name)))
    }

    /// Its columns are made of more blanks than a text of somebody else may have.
    private func showManual() {
        guard json else { return Terminal.print("* \(ChatInput.manual)") }
        show(ChatLine(kind: .status, text: ChatInput.manual.escaped))
    }

    private func showStatus() async {
        guard let node = await host.tree.find("chat.status") else { return }
        show(ChatLine(kind: .status, text: node.label.english, detail: node.detail?.english))
    }

    // The end.

    private func leave() async throws {
        await host.dispatch(.rooms(.leaveRoom(room: room)))
        guard await untilTold() else {
            throw CommandFailure("the server could not be told that you left", .temporaryFailure)
        }
    }

    /// Waits until the other side and the server know that this one left, or ended the trust.
    /// - Returns: whether they do, as far as they can be told in time.
    private func untilTold() async -> Bool {
        let told: Bool? = await host.wait(upTo: .seconds(15)) { state in
            let isUnderWay = state.pendingEffects.byID.values.contains { kind in
                switch kind {
                case .leaveRoom, .revokeTrust: true
                default: false
                }
            }
            return isUnderWay ? nil : true
        }
        return told == true
    }

    private static func isUnderWay(_ message: Message) -> Bool {
        if message.tellsOfChange { return true }
        guard message.direction == .sent else { return message.transfer?.state == .running }
        return message.status == .pending || message.transfer?.state == .running
    }

    /// Gives what was said time to arrive; what does not stays in the outbox.
    private func untilDelivered(upTo limit: Duration) async throws {
        let room = room
        let isDelivered: @Sendable (AppState) -> Bool? = { state in
            let messages = state.rooms[room]?.messages.all ?? []
            return messages.contains(where: Self.isUnderWay) ? nil : true
        }
        var delivered = await host.read(isDelivered)
        if delivered == nil, limit > .zero { delivered = await host.wait(upTo: limit, for: isDelivered) }
        if delivered != true {
            throw CommandFailure(
                "not everything has arrived yet; it goes out when you open the room again", .temporaryFailure)
        }
    }
}

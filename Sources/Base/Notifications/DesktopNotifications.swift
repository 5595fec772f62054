#if canImport(CGIO)
internal import Dispatch
internal import Synchronization

private typealias Shown = NotificationSession.Shown

/// The notifications of a freedesktop.org desktop (Desktop Notifications Specification 1.2).
///
/// A queue of its own talks to the desktop, so that nobody waits for it. For each id only the newest wish is kept.
final class DesktopNotifications: NotificationService {
    let opened: AsyncStream<String>
    private let choices: AsyncStream<String>.Continuation
    private let address: String?
    private let reading: Duration
    private let queue = DispatchQueue(label: "alcove.notifications", qos: .utility)

    /// What is still to be said to the desktop, by id: a notification to show, or `nil` for one to take away.
    private let waiting = Mutex<[String: DesktopNotification?]>([:])
    private let found = Mutex(NotificationState.unused)
    private let hasEnded = Mutex(false)
    /// The connection. Only ``queue`` uses it.
    private let session = Mutex<NotificationSession?>(nil)

    /// Choices that nobody has read yet.
    private static let choiceLimit = 16

    /// - Parameter address: of the bus (D-Bus Specification, "Server Addresses"); `nil` for none.
    init(address: String?, reading: Duration = NotificationSession.reading) {
        (self.address, self.reading) = (address, reading)
        (opened, choices) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.choiceLimit))
    }

    var state: NotificationState { address == nil ? .noBus : found.withLock { $0 } }

    func show(_ notification: DesktopNotification) { want(notification, for: notification.id) }

    func close(_ id: String) { want(nil, for: id) }

    func ask(_ question: DesktopQuestion, patience: Duration) async -> DesktopAnswer {
        guard address != nil else { return .unavailable }
        let (answers, answer) = AsyncStream<DesktopAnswer>.makeStream(bufferingPolicy: .bufferingOldest(1))
        queue.async {
            guard !self.hasEnded.withLock(\.self) else { return _ = answer.yield(.unavailable) }
            let shown = Shown(question) { answer.yield($0 ? .accepted : .declined) }
            let state = self.show(shown, isLastAttempt: false)
            if state == .shown { self.found.withLock { $0 = state } } else { answer.yield(.unavailable) }
        }
        let deadline = Task {
            try await Task.sleep(for: patience)
            answer.finish()
        }
        let said = await answers.first { _ in true } ?? .declined
        deadline.cancel()
        // Behind what shows it, also if nobody waited for that.
        queue.async { self.session.withLock { _ = $0?.close(question.notification.id) } }
        return said
    }

    private func want(_ notification: DesktopNotification?, for id: String) {
        guard address != nil, !hasEnded.withLock(\.self) else { return }
        let isFirst = waiting.withLock { waiting in
            waiting.updateValue(notification, forKey: id)
            return waiting.count == 1
        }
        // Others that come before it is taken up are taken up with it.
        if isFirst { queue.async { self.catchUp() } }
    }

    private func catchUp() {
        let wishes = waiting.withLock { waiting in
            defer { waiting = [:] }
            return waiting
        }
        for (id, notification) in wishes where !hasEnded.withLock(\.self) {
            guard let notification else {
                session.withLock { _ = $0?.close(id) }
                continue
            }
            let state = show(Shown(notification), isLastAttempt: false)
            found.withLock { $0 = state }
        }
    }

    /// A desktop that was started anew has another bus connection for us: it is tried once more.
    private func show(_ notification: Shown, isLastAttempt: Bool) -> NotificationState {
        let state = session.withLock { session -> NotificationState in
            if session == nil || session?.isClosed == true {
                session = address.flatMap { [choices, reading] in
                    NotificationSession(address: $0, reading: reading) { choices.yield($0) }
                }
            }
            switch session?.show(notification) {
            case nil: return .noBus
            case true?: return .shown
            case false?: return .noServer
            }
        }
        guard state == .noServer, !isLastAttempt, session.withLock({ $0?.isClosed == true }) else { return state }
        return show(notification, isLastAttempt: true)
    }

    func end() async {
        hasEnded.withLock { $0 = true }
        choices.finish()
        await withCheckedContinuation { continuation in
            queue.async {
                self.session.withLock { session in
                    session?.closeAll()
                    session = nil
                }
                continuation.resume()
            }
        }
    }
}
#endif

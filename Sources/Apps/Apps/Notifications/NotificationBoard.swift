internal import Synchronization

/// The notifications of one run of a component.
final class NotificationBoard: Sendable {
    /// How many stand at the same time. The oldest gives way.
    static let limit = 32

    struct Event: Sendable {
        enum Change: String, Sendable { case shown, closed }

        let id: Int
        let change: Change
    }

    private let standing = Mutex<(ids: [Int], last: Int)>(([], 0))
    private let fan = Broadcaster<Event>()

    /// Puts one up, and returns its number.
    func add() -> Int {
        let (id, oldest) = standing.withLock { standing in
            standing.last += 1
            standing.ids.append(standing.last)
            return (standing.last, standing.ids.count > Self.limit ? standing.ids.removeFirst() : nil)
        }
        if let oldest { fan.tell(Event(id: oldest, change: .closed)) }
        fan.tell(Event(id: id, change: .shown))
        return id
    }

    /// Takes one down, if it stands.
    func remove(_ id: Int) {
        let stood = standing.withLock { standing in
            guard let index = standing.ids.firstIndex(of: id) else { return false }
            standing.ids.remove(at: index)
            return true
        }
        if stood { fan.tell(Event(id: id, change: .closed)) }
    }

    /// What happens from now on.
    func events() -> AsyncStream<Event> { fan.listen() }
}

/// A short text of an app for the person.
package struct AppNotification: Hashable, Sendable {
    /// Bytes.
    static let titleLimit = 256
    static let bodyLimit = 2_048

    /// Empty if the app gave none.
    package var title: String
    package var body: String

    /// All of it in one line. It is the app's text, with whatever characters.
    package var text: String {
        [title, body].filter { !$0.isEmpty }.joined(separator: ": ")
            .split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}

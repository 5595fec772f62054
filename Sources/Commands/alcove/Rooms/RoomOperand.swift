import AppCore
import Host
import Wire

/// How a person names a room on the command line: by its name as the lists print it, its join code, its id or the beginning
/// of its id.
///
/// Names need not be different: who was revoked and met anew has the same one. What a command can be about decides first, then
/// whether two people have the room. If that leaves several, the person is asked for the id.
struct RoomOperand {
    let text: String
    /// Whether the command is about the people of the circle, whose rooms are meant by their names before all others.
    var isPerson = false
    /// Whether every room is meant as much as another one: what is deleted or revoked by mistake does not come back, so the person is asked.
    var meansEvery = false

    /// - Parameter fits: what the command can be about; nil: any room.
    func find(in host: any ProfileHost, fits: (@Sendable (Room) -> Bool)? = nil) async throws -> Room {
        try await host.read { state in
            Result { () throws(CommandFailure) in try find(in: state.rooms, fits: fits) }
        }.get()
    }

    func find(in rooms: RoomList, fits: (@Sendable (Room) -> Bool)? = nil) throws(CommandFailure) -> Room {
        let fits = fits ?? { _ in true }
        let all = Array(rooms)
        let members = meansEvery ? [] : all.filter { $0.isMember && fits($0) }
        let pools = isPerson ? [members, all.filter(fits), all] : [all]
        guard let named = meant(among: pools) else {
            throw CommandFailure(
                isPerson
                    ? "there is nobody called \"\(text)\"; alcove circle list shows the people of your circle"
                    : "there is no room \"\(text)\"; alcove room list shows the rooms", .noInput)
        }
        let fitting = named.filter(fits)
        let living = fitting.filter(\.isLiving)
        // If none of them fits, the command says why, for the newest one.
        let newest = Array(named.sorted { $0.createdAt < $1.createdAt }.suffix(1))
        let found = fitting.isEmpty ? newest : living.isEmpty || meansEvery ? fitting : living
        guard found.count == 1, let room = found.first else {
            throw CalledByName(text).ambiguity(found.map { ($0.id.text, "\($0.title), \($0.status.rawValue)") })
        }
        return room
    }

    /// Those that the text can mean: whose name it is comes before whose id begins so, whoever has it.
    private func meant(among pools: [[Room]]) -> [Room]? {
        let called = CalledByName(text)
        let digits = String(text.prefix { $0.isNumber })
        let ways: [(Room) -> Bool] = [
            { $0.id.text == text }, { called.means($0.title) }, { $0.code != nil && $0.code == digits },
            { called.begins($0.id.text) },
        ]
        for way in ways {
            for pool in pools {
                let found = pool.filter(way)
                if !found.isEmpty { return found }
            }
        }
        return nil
    }
}

extension Room {
    /// Whether two people have it: nobody came yet into one whose code waits, and one that is over is left behind.
    var isLiving: Bool { status == .accepted }
}

/// A name as a person writes it, for what has a name and an id.
struct CalledByName {
    let text: String

    init(_ text: String) { self.text = text }

    /// Whether this is the name, or what the lists print in its place.
    func means(_ name: String) -> Bool { name == text || PrintableText.line(name) == text }

    /// Whether this is enough of an id.
    func begins(_ id: String) -> Bool { text.count >= 4 && id.hasPrefix(text) }

    /// What to say when several are meant: each with as much of its id as tells it from the others.
    func ambiguity(_ found: [(id: String, words: String)]) -> CommandFailure {
        let shown = found.prefix(Self.shownLimit).map { "  \(shortest($0.id, among: found.map(\.id)))  \($0.words)" }
        let more = found.count > Self.shownLimit ? ["  and \(found.count - Self.shownLimit) more"] : []
        let first = "\(found.count) are called \"\(text)\"; name the one you mean by the beginning of its id:"
        return CommandFailure(([first] + shown + more).joined(separator: "\n"), .usage)
    }

    private static let shownLimit = 10

    private func shortest(_ id: String, among ids: [String]) -> Substring {
        let lengths = 8...max(8, id.count)
        let length = lengths.first { length in ids.count { $0.hasPrefix(id.prefix(length)) } == 1 }
        return id.prefix(length ?? id.count)
    }
}

/// What is written in a room and not sent.
///
/// A composer belongs to the view in which it is written, as long as the view is in the room, so that two views never write in
/// the same one. The next view that comes into the room goes on where the last one stopped.
package struct Composer: Sendable, Hashable, Codable {
    package let room: RoomID
    /// The view that writes in it; `nil` for one that waits for the next view.
    package internal(set) var view: ViewID?
    package internal(set) var text: String
}

/// Every composer with something in it, in the order in which they were begun.
package struct Composers: Sendable, Hashable, AddedLater {
    package private(set) var all: [Composer] = []

    package init() {}

    init(_ all: [Composer]) { self.all = all }

    /// What stands in the view's composer of this room; without a view, what waits for the next one.
    package func text(in room: RoomID, of view: ViewID?) -> String {
        all.first { $0.room == room && $0.view == view }?.text ?? ""
    }

    /// Whether something is written in this room in other views than this one.
    package func isWrittenElsewhere(in room: RoomID, than view: ViewID) -> Bool {
        all.contains { $0.room == room && $0.view != view }
    }

    /// What is written in a room, in all views.
    func text(in room: RoomID) -> String {
        all.lazy.filter { $0.room == room }.map(\.text).joined(separator: "\n").limited(to: RoomLimits.draftBytes)
    }

    /// The record of a room: what is written there, whoever wrote it.
    func saved(_ room: RoomID) -> Composer? {
        let text = text(in: room)
        return text.isEmpty ? nil : Composer(room: room, view: nil, text: text)
    }

    mutating func set(_ text: String, in room: RoomID, of view: ViewID?) {
        let index = all.firstIndex { $0.room == room && $0.view == view }
        switch (index, text.isEmpty) {
        case (let index?, true): all.remove(at: index)
        case (let index?, false): all[index].text = text
        case (nil, true): break
        case (nil, false): all.append(Composer(room: room, view: view, text: text))
        }
    }

    /// Moves everything that is written in a room to a view, behind what stands there.
    mutating func take(_ room: RoomID, to view: ViewID?) {
        let whole = text(in: room)
        remove([room])
        set(whole, in: room, of: view)
    }

    mutating func remove(_ rooms: Set<RoomID>) { all.removeAll { rooms.contains($0.room) } }

    mutating func removeAll() { all = [] }

    /// A view comes into a room, and goes on with what waits there.
    mutating func adopt(_ room: RoomID, by view: ViewID) {
        guard !all.contains(where: { $0.room == room && $0.view == view }),
            let index = all.firstIndex(where: { $0.room == room && $0.view == nil })
        else { return }
        all[index].view = view
    }

    /// Takes composers from views that have left their rooms.
    /// - Returns: the rooms whose text may have changed by that.
    mutating func release(from views: ViewList) -> [RoomID] {
        let left = all.filter { composer in composer.view.map { views[$0]?.isIn(composer.room) != true } ?? false }
        for composer in left {
            let waiting = all.first { $0.room == composer.room && $0.view == nil }?.text
            set("", in: composer.room, of: composer.view)
            let both = [waiting, composer.text].compactMap(\.self).joined(separator: "\n")
            set(both.limited(to: RoomLimits.draftBytes), in: composer.room, of: nil)
        }
        return left.map(\.room)
    }
}

extension Composers: Codable {
    package init(from decoder: any Decoder) throws {
        all = try decoder.singleValueContainer().decode([Composer].self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(all)
    }
}

/// Every room, each reachable by its id, and changed in place by its position.
package struct RoomList: Sendable, Hashable {
    private var rooms: [Room] = []
    private var positions: [RoomID: Int] = [:]

    package init() {}

    init(_ rooms: some Sequence<Room>) {
        for room in rooms.sorted(by: { $0.id < $1.id }) where positions[room.id] == nil { append(room) }
    }

    package subscript(id: RoomID) -> Room? { positions[id].map { rooms[$0] } }

    /// Where the room is, until the next removal.
    func index(of id: RoomID) -> Int? { positions[id] }

    /// Reads or (inside the core) changes a room in place, without copying its messages.
    package internal(set) subscript(position: Int) -> Room {
        // A getter and not `_read`: Swift 6.3.1 goes on to use what that yields after its frame is gone, in debug builds.
        get { rooms[position] }
        _modify { yield &rooms[position] }
    }

    /// Adds a room. The caller has made sure that the id is new.
    mutating func append(_ room: Room) {
        positions[room.id] = rooms.count
        rooms.append(room)
    }

    mutating func remove(_ ids: Set<RoomID>) { self = RoomList(inOrder: rooms.filter { !ids.contains($0.id) }) }

    init(inOrder rooms: [Room]) { for room in rooms { append(room) } }
}

extension RoomList: RandomAccessCollection {
    package var startIndex: Int { rooms.startIndex }
    package var endIndex: Int { rooms.endIndex }
}

extension RoomList: Codable {
    private struct Whole: Codable {
        var room: Room
        var live: Live
        var messages: MessageLog
    }

    package init(from decoder: any Decoder) throws {
        for whole in try decoder.singleValueContainer().decode([Whole].self) where positions[whole.room.id] == nil {
            var room = whole.room
            room.live = whole.live
            room.messages = whole.messages
            room.restoreSeen()
            append(room)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rooms.map { Whole(room: $0, live: $0.live, messages: $0.messages) })
    }
}

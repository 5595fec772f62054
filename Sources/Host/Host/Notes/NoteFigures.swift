package import AppCore
import Rooms

/// What the demo tells about notes.
extension AppHost {
    /// Updates of notes that went over a room's channel since the start.
    package func notesSent(in room: RoomID) async -> Int { await rooms.noteCounts(in: room.text).sent }

    /// How long it took, from the first request, until documents could be opened; nil before that.
    package var noteEngineReadyAfter: Duration? { get async { await notes.readyAfter } }
}

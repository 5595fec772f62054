import Notes
import Rooms

/// Pictures that shared notes show. They lie beside the notes as files, so they are asked for by the side that lacks them, one at a time in
/// each room.
extension NoteSharing {
    /// How long what is written goes on before it is looked through for pictures.
    private static let pause = Duration.seconds(2)

    /// Looks soon for pictures that a note shows and that are not here.
    func lookForPictures(in place: Place) {
        guard searches[place] == nil else { return }
        searches[place] = Task {
            try? await Task.sleep(for: Self.pause)
            searches[place] = nil
            await wantPicture(in: place)
        }
    }

    /// Another connection, or another list of notes: what was asked for may never come.
    func forgetPictures(of room: String) {
        wantedPictures[room] = nil
        absentPictures[room] = nil
    }

    /// A note is not shared any more: what was asked for it does not come, and the others of the room wait no longer for it.
    func forgetPicture(of place: Place) {
        guard wantedPictures[place.room]?.note == place.note else { return }
        wantedPictures[place.room] = nil
        for other in live where other.room == place.room { lookForPictures(in: other) }
    }

    /// Gives the other side a picture that it lacks. Only one that the note shows: an id alone opens nothing.
    func give(_ picture: SharedPicture, to room: String) async throws {
        var bytes: [UInt8] = []
        if live.contains(Place(room: room, note: picture.note)), let library = try? await folder.library(),
            let shown = try? await library.pictures(in: picture.note), shown.contains(picture.id)
        {
            bytes = (try? await library.picture(picture.id))?.bytes ?? []
        }
        try await rooms.sendNote(.picture(bytes, id: picture.id), of: picture.note, in: room)
    }

    /// Keeps a picture that came, and asks for the next one.
    func keep(_ picture: SharedPicture, _ bytes: [UInt8], from room: String) async throws {
        wantedPictures[room] = nil
        let isKept = (try? await folder.library().keepPicture(bytes, as: picture.id)) != nil
        if !isKept { absentPictures[room, default: []].insert(picture.id) }
        for place in live where place.room == room { await wantPicture(in: place) }
    }

    private func wantPicture(in place: Place) async {
        guard live.contains(place), wantedPictures[place.room] == nil, let library = try? await folder.library(),
            let shown = try? await library.pictures(in: place.note)
        else { return }
        for id in shown where absentPictures[place.room]?.contains(id) != true {
            guard let picture = SharedPicture(id, of: place.note), await !library.hasPicture(id) else { continue }
            guard live.contains(place), wantedPictures[place.room] == nil else { return }
            wantedPictures[place.room] = picture
            return await rooms.wantPicture(picture, in: place.room)
        }
    }
}

internal import CRDTBridge
internal import NoteFiles
internal import NoteIndex
internal import RichText

/// A picture of a note, as its file has it.
package struct NotePicture: Sendable {
    /// `image/png` and the like.
    package let type: String
    package let bytes: [UInt8]
}

extension NoteLibrary {
    /// Bytes of one picture.
    package static let pictureLimit = StorageDirectory.mediaLimit

    /// Keeps a picture, for a note to show it by its id. The same bytes have the same id.
    package func keepPicture(_ bytes: [UInt8]) throws(NoteFailure) -> String {
        try checkOpen()
        let writer = try writer()
        return try NoteFailure.wrapping { try writer.store(bytes).id.text }
    }

    /// Keeps a picture of somebody else.
    /// - Throws: ``NoteFailure`` if it is another one than this id names.
    package func keepPicture(_ bytes: [UInt8], as id: String) throws(NoteFailure) {
        guard StorageDirectory.mediaName(of: bytes) == id else {
            throw NoteFailure(.badRequest, "these are not the bytes of the picture \(id)")
        }
        _ = try keepPicture(bytes)
    }

    /// Whether a picture is here.
    package func hasPicture(_ id: String) -> Bool {
        guard let id = try? MediaID(id) else { return false }
        return (try? directory.hasMedia(id)) ?? false
    }

    /// The ids of the pictures that a note shows, each once, in their order.
    package func pictures(in note: String) throws(NoteFailure) -> [String] {
        try checkOpen()
        _ = try open(note)
        var known: Set<String> = []
        return try crdt { try $0.tree(of: note) }.imageReferences.map(\.image).filter { known.insert($0).inserted }
    }

    /// The picture of this id; `nil` if it is not here, as when a syncer has not brought it yet.
    package func picture(_ id: String) throws(NoteFailure) -> NotePicture? {
        try checkOpen()
        guard let id = try? MediaID(id) else { return nil }
        return try NoteFailure.wrapping {
            try directory.media(id).map { NotePicture(type: $0.file.type.mimeType, bytes: $0.bytes) }
        }
    }
}

internal import Cryptography
internal import Storage

/// What a ``MediaID`` names.
package enum MediaSubject {}
/// An image: the first 16 bytes of the SHA-256 of its file as 32 hexadecimal digits; in old directories a UUID.
package typealias MediaID = Identifier<MediaSubject>

/// An image in a storage directory.
package struct MediaFile: Hashable, Sendable {
    package let id: MediaID
    package let type: MediaType
    /// In the folder `media`.
    package let name: String

    init(id: MediaID, type: MediaType) {
        (self.id, self.type, name) = (id, type, "\(id).\(type.fileExtension)")
    }

    /// nil unless the name is one of an image.
    init?(name: String) {
        guard let dot = name.lastIndex(of: "."), let id = try? MediaID(name[..<dot]),
            let type = MediaType(fileExtension: name[name.index(after: dot)...])
        else { return nil }
        (self.id, self.type, self.name) = (id, type, name)
    }
}

extension StorageDirectory {
    /// Bytes of one image.
    package static let mediaLimit = 64 << 20

    /// All images, in the order of their names.
    package func media() throws(NoteFilesError) -> [MediaFile] {
        try names(in: "media", atMost: Self.noteLimit).sorted().compactMap(MediaFile.init)
    }

    /// The name of an image after its bytes: the text of its identifier.
    package static func mediaName(of image: [UInt8]) -> String {
        HashFunction.sha256.digest(image).prefix(16).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    /// Whether the image of this identifier is here.
    package func hasMedia(_ id: MediaID) throws(NoteFilesError) -> Bool { try found(id) != nil }

    /// The image of this identifier, or nil if it is not here, as when a syncer has not brought it yet.
    package func media(_ id: MediaID) throws(NoteFilesError) -> (file: MediaFile, bytes: [UInt8])? {
        guard let (folder, file) = try found(id) else { return nil }
        do {
            return (file, try folder.read(file.name, atMost: Self.mediaLimit))
        } catch {
            if error.code == .missing { return nil }
            throw NoteFilesError(error)
        }
    }

    private func found(_ id: MediaID) throws(NoteFilesError) -> (folder: Folder, file: MediaFile)? {
        let root = try root()
        do {
            let folder = try root.folder("media")
            for ending in MediaType.allCases.map(\.fileExtension) + ["jpeg"] {
                let name = "\(id).\(ending)"
                guard try folder.status(of: name) != nil, let file = MediaFile(name: name) else { continue }
                return (folder, file)
            }
            return nil
        } catch {
            if error.code == .missing { return nil }
            throw NoteFilesError(error)
        }
    }
}

extension DirectoryWriter {
    /// Keeps an image. One that is there already, under the same bytes, is left as it is.
    package func store(_ image: [UInt8]) throws(NoteFilesError) -> MediaFile {
        guard image.count <= StorageDirectory.mediaLimit else {
            throw NoteFilesError(
                .tooLarge, "an image may have \(StorageDirectory.mediaLimit >> 20) MiB; make this one smaller")
        }
        guard let type = MediaType(of: image) else {
            throw NoteFilesError(
                .damaged, "this is no image of a kind that notes hold (PNG, JPEG, GIF, WebP, SVG, HEIC)")
        }
        let file = try MediaFile(id: MediaID(StorageDirectory.mediaName(of: image)), type: type)
        let root = try writableRoot()
        try NoteFilesError.wrapping { () throws(FileError) in
            let folder = try root.folder(making: "media")
            if try folder.status(of: file.name) == nil { try folder.write(image, to: file.name) }
        }
        return file
    }
}

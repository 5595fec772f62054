import AppCore
import Foundation
import MediaHeaders
import Wire

/// How a file on the disk is offered: as what its headers say, if its name says the same. The page of the other person shows and plays a
/// file by its name.
enum OfferedMedia {
    private static let pictureEndings: Set = ["png", "jpg", "jpeg", "gif", "webp"]
    private static let soundEndings: Set = ["wav", "ogg", "oga", "opus", "weba", "webm", "m4a", "mp4"]
    /// Bytes of a picture that is its own small copy.
    private static let copyLimit = 16 << 10

    /// Nil for what is no picture, or a broken one.
    static func picture(at path: String) -> Media? {
        guard pictureEndings.contains(ending(of: path)),
            let header = read(path, { bytes in try? PictureHeader(&bytes) })?.flatMap(\.self)
        else { return nil }
        var copy = header.thumbnail
        if copy.isEmpty { copy = ownCopy(path) }
        return .picture(
            width: header.width, height: header.height, thumbnail: copy.isEmpty ? nil : Data(copy).base64EncodedString()
        )
    }

    /// - Throws: ``CommandFailure`` that says what to do, if it is no sound whose length can be read.
    static func voice(at path: String) throws(CommandFailure) -> Media {
        let name = URL(fileURLWithPath: path).lastPathComponent
        guard soundEndings.contains(ending(of: path)) else {
            throw CommandFailure(
                "\(name) was not sent: a voice message is a .wav, .ogg, .opus, .weba, .webm, .m4a or .mp4; /file sends it as a file",
                .dataError)
        }
        let result = read(path) { bytes in Result { () throws(WireError) in try SoundHeader(&bytes) } }
        switch result {
        case .success(let header): return .voice(duration: header.duration, waveform: header.waveform)
        case .failure(let error):
            throw CommandFailure("\(name) was not sent: \(error.message); /file sends it as a file", .dataError)
        case nil: throw CommandFailure("\(name) was not sent: it cannot be read", .noInput)
        }
    }

    /// A picture that is small enough is its own small copy. A GIF may move, and none is shown before it was taken.
    private static func ownCopy(_ path: String) -> [UInt8] {
        guard ending(of: path) != "gif", let handle = FileHandle(forReadingAtPath: path) else { return [] }
        defer { try? handle.close() }
        guard let bytes = try? handle.read(upToCount: copyLimit + 1), bytes.count <= copyLimit else { return [] }
        return Array(bytes)
    }

    private static func ending(of path: String) -> String { URL(fileURLWithPath: path).pathExtension.lowercased() }

    /// Nil if the file cannot be opened.
    private static func read<Value>(_ path: String, _ body: (inout MediaBytes) -> Value) -> Value? {
        guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? handle.close() }
        guard let end = try? handle.seekToEnd() else { return nil }
        var bytes = MediaBytes(count: Int64(clamping: end)) { offset, count in
            guard (try? handle.seek(toOffset: UInt64(offset))) != nil else { return nil }
            return (try? handle.read(upToCount: count)).map { Array($0) }
        }
        return body(&bytes)
    }
}

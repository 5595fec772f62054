import Foundation

/// A file, or standard input, read piece by piece.
struct ByteInput {
    /// What the person called it.
    let name: String
    private let handle: FileHandle

    /// `-` is standard input.
    init(_ path: String) throws(CommandFailure) {
        guard path != "-" else {
            name = "standard input"
            handle = .standardInput
            return
        }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw CommandFailure("there is no file \(path)", .noInput)
        }
        guard !isFolder.boolValue else { throw CommandFailure("\(path) is a folder; name a file in it", .noInput) }
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw CommandFailure("\(path) cannot be read: \(ErrorWords.reason(number: errno))", .noInput)
        }
        name = path
        self.handle = handle
    }

    /// The next bytes, at most so many; fewer only at the end.
    func read(_ count: Int) throws(CommandFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        do {
            while bytes.count < count, let more = try handle.read(upToCount: count - bytes.count), !more.isEmpty {
                bytes += more
            }
            return bytes
        } catch {
            throw CommandFailure("\(name) cannot be read: \(ErrorWords.reason(error))", .inputOutput)
        }
    }

    /// All of it, if it is not too much.
    func readAll(atMost limit: Int) throws(CommandFailure) -> [UInt8] {
        let bytes = try read(limit + 1)
        guard bytes.count <= limit else { throw CommandFailure("\(name) has more than \(limit) bytes", .dataError) }
        return bytes
    }
}

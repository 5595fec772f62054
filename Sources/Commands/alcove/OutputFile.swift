import AppCore
import Foundation

/// A folder that a command writes files into for its person.
enum OutputFolder {
    /// Makes it, with the folders above it, and looks whether files can be made in it.
    static func prepare(_ path: String) throws(CommandFailure) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure(writing: path, error)
        }
        let trial = "\(path)/.alcove-\(UUID().uuidString)"
        let descriptor = open(trial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw CommandFailure("\(path) cannot be written: \(ErrorWords.reason(number: errno))", .cannotCreate)
        }
        close(descriptor)
        unlink(trial)
    }
}

/// A file that a command writes for its person.
enum OutputFile {
    /// Writes it whole or not at all.
    static func write(_ bytes: [UInt8], to path: String, forOwnerOnly: Bool = false) throws {
        do {
            try Data(bytes).write(to: URL(filePath: path), options: .atomic)
            guard forOwnerOnly else { return }
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        } catch {
            throw CommandFailure(writing: path, error)
        }
    }

    /// Reads a file that the person named.
    static func read(_ path: String) throws -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure("\(path) cannot be read", .noInput)
        }
        return [UInt8](data)
    }

    static func json(_ path: String) throws -> JSONValue {
        do { return try JSON.decode(JSONValue.self, from: read(path)) } catch is DecodingError {
            throw CommandFailure("\(path) holds no JSON", .dataError)
        }
    }
}

import AppCore
import Foundation

/// A file with what happened: a trace as `alcove sim export-replay` and `alcove report` write it, or a recording, one
/// input a line, as `alcove chat --record` does.
enum TraceFile {
    static func read(_ path: String) throws -> JSONValue {
        let bytes = try OutputFile.read(path)
        if let json = try? JSON.decode(JSONValue.self, from: bytes), json["actions"] != nil { return json }
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        let inputs = lines.compactMap { try? JSON.decode(JSONValue.self, from: $0) }
        // The last line of a process that was killed may be half a line.
        guard !inputs.isEmpty, inputs.count >= lines.count - 1, inputs.allSatisfy({ $0["action"] != nil }) else {
            throw CommandFailure("\(path) is neither a trace nor a recording", .dataError)
        }
        let name = URL(filePath: path).deletingPathExtension().lastPathComponent
        return .object(["schema_version": .integer(1), "name": .string(name), "actions": .array(inputs)])
    }
}

import Foundation
import ProgramRunner
import Wire

/// The schemas as `protoc` understands them, read from its descriptor set.
struct Descriptors: Sendable {
    struct Field: Sendable {
        var name = ""
        var number = 0
        var isRequired = false
        var isRepeated = false
        var kind = Kind.bytes

        /// The property's name in Swift.
        var property: String {
            let words = name.split(separator: "_")
            return
                (words.prefix(1).map(String.init) + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() })
                .joined()
        }
    }

    enum Kind: Sendable {
        case int64, uint64, int32, bool, string, bytes, uint32
        case message(String)
    }

    /// The fields of each message, by its full name.
    private(set) var messages: [String: [Field]] = [:]
    /// The messages of proto2.
    private(set) var hostLayer: Set<String> = []

    static let folder = Program.repository.appending(path: "Sources/Apps/Components/Protos")
    static let files: [String] =
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?
        .filter { $0.hasSuffix(".proto") }.sorted() ?? []
    /// What `protoc` says of all schemas.
    static let all = Result { try Descriptors() }

    private init() throws {
        let set = try Program.inFolder { work in
            let output = work.appending(path: "set").path
            let result = try Program.run(["protoc", "--proto_path=\(Self.folder.path)", "-o", output] + Self.files)
            guard result.status == 0 else { throw WireError(.malformed, result.output) }
            return [UInt8](try Data(contentsOf: URL(filePath: output)))
        }
        for file in try Self.messages(1, in: ProtobufReader(set, depth: 20)) {
            let package = try Self.text(2, in: file)
            let before = Set(messages.keys)
            for message in try Self.messages(4, in: file) { try add(message, parent: package) }
            if try Self.text(12, in: file) != "proto3" {
                hostLayer.formUnion(messages.keys.filter { !before.contains($0) })
            }
        }
    }

    private mutating func add(_ message: ProtobufReader, parent: String) throws {
        let name = parent + "." + (try Self.text(1, in: message))
        messages[name] = try Self.messages(2, in: message).map { try Self.field($0) }
        for nested in try Self.messages(3, in: message) { try add(nested, parent: name) }
    }

    private static func field(_ reader: ProtobufReader) throws -> Field {
        let kinds: [UInt64: Kind] = [3: .int64, 4: .uint64, 5: .int32, 8: .bool, 9: .string, 12: .bytes, 13: .uint32]
        var field = Field(name: try text(1, in: reader))
        field.number = Int(try number(3, in: reader))
        let label = try number(4, in: reader)
        field.isRequired = label == 2
        field.isRepeated = label == 3
        let type = try text(6, in: reader)
        field.kind = kinds[try number(5, in: reader)] ?? .message(String(type.dropFirst()))
        return field
    }

    private static func fields(_ number: Int, in reader: ProtobufReader) throws -> [ProtobufField] {
        var reader = reader
        var fields: [ProtobufField] = []
        while let field = try reader.next() {
            if field.number == number { fields.append(field) }
        }
        return fields
    }

    private static func messages(_ number: Int, in reader: ProtobufReader) throws -> [ProtobufReader] {
        try fields(number, in: reader).map { try $0.message() }
    }

    private static func text(_ number: Int, in reader: ProtobufReader) throws -> String {
        guard let field = try fields(number, in: reader).last else { return "" }
        return try field.string(atMost: .max)
    }

    private static func number(_ number: Int, in reader: ProtobufReader) throws -> UInt64 {
        guard let field = try fields(number, in: reader).last else { return 0 }
        return try field.uint64()
    }
}

import Components
import Foundation
import ProgramRunner
import Wire

/// Messages of all types with random content, encoded by `protoc`.
struct Specimens: Sendable {
    struct Specimen: Sendable {
        let type: any ComponentMessage.Type
        let fields: [Descriptors.Field]
        let content: Content
        let bytes: [UInt8]
    }

    let list: [Specimen]

    /// Twelve of each type.
    static let all = Result { try Specimens(descriptors: Descriptors.all.get(), each: 12) }

    /// All go through one call of `protoc`, as fields of one message.
    private init(descriptors: Descriptors, each: Int) throws {
        var chance = SplitMix(seed: 3)
        let contents = allMessageTypes.map { type in
            (0..<each).map { _ in Content.random(type.schemaName, in: descriptors, using: &chance) }
        }
        let fields = allMessageTypes.enumerated().map { "repeated .\($1.schemaName) m\($0 + 1) = \($0 + 1);" }
        let imports = Descriptors.files.map { "import \"\($0)\";\n" }.joined()
        let schema = "syntax = \"proto2\";\n\(imports)message All {\n\(fields.joined(separator: "\n"))\n}\n"
        let text = contents.enumerated().flatMap { index, list in list.map { "m\(index + 1) \($0.text)\n" } }.joined()
        let bytes = try Self.encode(text, schema: schema)

        var left = contents.map { $0[...] }
        var list: [Specimen] = []
        var reader = ProtobufReader(bytes)
        while let field = try reader.next() {
            let type = allMessageTypes[field.number - 1]
            guard let content = left[field.number - 1].popFirst() else { continue }
            list.append(
                Specimen(
                    type: type, fields: descriptors.messages[type.schemaName] ?? [], content: content,
                    bytes: try field.bytes(atMost: .max)))
        }
        self.list = list
    }

    private static func encode(_ text: String, schema: String) throws -> [UInt8] {
        try Program.inFolder { work in
            try schema.write(to: work.appending(path: "all.proto"), atomically: true, encoding: .utf8)
            try text.write(to: work.appending(path: "text"), atomically: true, encoding: .utf8)
            let command =
                "protoc --proto_path=. --proto_path='\(Descriptors.folder.path)' --encode=All all.proto <text >bytes"
            let result = try Program.run(["sh", "-c", "cd '\(work.path)' && \(command)"])
            guard result.status == 0 else { throw WireError(.malformed, result.output) }
            return [UInt8](try Data(contentsOf: work.appending(path: "bytes")))
        }
    }
}

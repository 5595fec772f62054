/// Writes a schema file as Swift.
struct SwiftSource {
    private var lines: [String] = []
    private var indent = ""

    static func file(_ file: SchemaFile) -> String {
        var source = SwiftSource()
        source.line("// Made by message-generator from \(file.name).")
        source.line("public import Wire")
        source.line("")
        source.line("/// The messages of `\(file.name)`, whose package is `\(file.package)`.")
        source.block("public enum \(Names.namespace(file.package))") { source in
            for message in file.messages { source.message(message) }
        }
        return source.lines.joined(separator: "\n") + "\n"
    }

    /// A list of all messages, for tests.
    static func list(_ files: [SchemaFile]) -> String {
        func types(_ messages: [SchemaMessage]) -> [String] {
            messages.flatMap { [Names.swiftType($0.fullName)] + types($0.nested) }
        }
        let all = files.flatMap { types($0.messages) }
        return """
            // Made by message-generator.
            /// Every message of the schemas.
            package let allMessageTypes: [any ComponentMessage.Type] = [
            \(all.map { "    \($0).self,\n" }.joined())]

            """
    }

    private mutating func message(_ message: SchemaMessage) {
        line("/// The message `\(message.fullName)`.")
        block("public struct \(message.name): ComponentMessage") { source in
            source.line("public static var schemaName: String { \"\(message.fullName)\" }")
            for nested in message.nested { source.message(nested) }
            for field in message.fields {
                source.line("/// Field \(field.number), \(field.presence): `\(field.name)`.")
                source.line("public var \(field.property): \(field.type)")
            }
            source.memberwise(message)
            if message.fields.contains(where: { $0.presence == .required }) {
                source.strictReader(message)
            } else {
                source.reader(message)
            }
            source.writer(message)
        }
    }

    private mutating func memberwise(_ message: SchemaMessage) {
        let parameters = message.fields.map { "\($0.property): \($0.type)\($0.defaultValue)" }
        line("/// A message of these fields.")
        block("public init(\(parameters.joined(separator: ", ")))") { source in
            for field in message.fields { source.line("self.\(field.property) = \(field.property)") }
        }
    }

    /// Without required fields, a message can be filled as it is read.
    private mutating func reader(_ message: SchemaMessage) {
        block("public init(reading fields: ProtobufReader) throws(WireError)") { source in
            source.line("self.init()")
            source.cases(message) { "self.\($0.property)" }
        }
    }

    private mutating func strictReader(_ message: SchemaMessage) {
        block("public init(reading fields: ProtobufReader) throws(WireError)") { source in
            for field in message.fields {
                let type = field.presence == .required ? field.type + "?" : field.type
                source.line("var \(field.property): \(type)\(field.defaultValue)")
            }
            source.cases(message) { $0.property }
            for field in message.fields {
                let value =
                    field.presence == .required
                    ? "try Self.required(\(field.property), \"\(field.name)\")" : field.property
                source.line("self.\(field.property) = \(value)")
            }
        }
    }

    private mutating func cases(_ message: SchemaMessage, target: (SchemaField) -> String) {
        line("var reader = fields")
        block("while let field = try reader.next()") { source in
            source.block("switch field.number") { source in
                for field in message.fields {
                    let target = target(field)
                    source.line(
                        field.presence == .repeated
                            ? "case \(field.number): try field.append(to: &\(target))"
                            : "case \(field.number): \(target) = try field.value()")
                }
                source.line("default: break")
            }
        }
    }

    private mutating func writer(_ message: SchemaMessage) {
        block("public func write(to sink: inout some FieldSink)") { source in
            for field in message.fields {
                source.line("sink.write(\(field.manner)self.\(field.property), \(field.number))")
            }
        }
        line("public var encoded: [UInt8] { Self.encode(self) }")
    }

    private mutating func block(_ head: String, _ body: (inout SwiftSource) -> Void) {
        line(head + " {")
        indent += "    "
        body(&self)
        indent.removeLast(4)
        line("}")
    }

    private mutating func line(_ text: String) { lines.append(text.isEmpty ? "" : indent + text) }
}

extension SchemaField {
    fileprivate var property: String { Names.property(name) }

    fileprivate var type: String {
        let single =
            switch kind {
            case .int64: "Int64"
            case .uint64: "UInt64"
            case .int32: "Int32"
            case .uint32: "UInt32"
            case .bool: "Bool"
            case .string: "String"
            case .bytes: isInPlace ? "ArraySlice<UInt8>" : "[UInt8]"
            case .message(let name): Names.swiftType(name)
            }
        return switch presence {
        case .required, .implicit: single
        case .optional: single + "?"
        case .repeated: "[\(single)]"
        }
    }

    /// ` = …` for all but required fields.
    fileprivate var defaultValue: String {
        switch presence {
        case .required: ""
        case .optional: " = nil"
        case .repeated: " = []"
        case .implicit:
            switch kind {
            case .bool: " = false"
            case .string: " = \"\""
            case .bytes: " = []"
            default: " = 0"
            }
        }
    }

    /// The argument label that says when the field is written.
    fileprivate var manner: String {
        switch presence {
        case .required: ""
        case .optional: "optional: "
        case .implicit: "nonzero: "
        case .repeated: isNumber ? "packed: " : "each: "
        }
    }
}

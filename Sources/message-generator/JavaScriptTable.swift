/// Writes all schemas as one JavaScript module, one constant for each message, so that a bundler leaves out what a script does
/// not use.
///
///     export const fs_op_PathArgs = ['fs_op.PathArgs', [[1, 'path', 'string', 1]]]
///
/// A field is its number, name, type and presence. The type is a scalar's name, or a function that returns the constant of a
/// message. The presence is 0 (optional: absent is undefined), 1 (required), 2 (repeated) or 3 (implicit: absent is zero).
enum JavaScriptTable {
    static func module(_ files: [SchemaFile]) -> String {
        "// Made by message-generator.\n" + files.flatMap(\.messages).flatMap(constants).joined()
    }

    private static func constants(_ message: SchemaMessage) -> [String] {
        let fields = message.fields.map { field in
            "[\(field.number), '\(Names.lowerCamel(field.name))', \(type(field.kind)), \(presence(field.presence))]"
        }
        let list = fields.joined(separator: ", ")
        return ["export const \(constant(message.fullName)) = ['\(message.fullName)', [\(list)]]\n"]
            + message.nested.flatMap(constants)
    }

    private static func constant(_ fullName: String) -> String {
        String(fullName.map { $0 == "." ? "_" : $0 })
    }

    private static func type(_ kind: SchemaField.Kind) -> String {
        if case .message(let name) = kind { "() => \(constant(name))" } else { "'\(kind)'" }
    }

    private static func presence(_ presence: SchemaField.Presence) -> Int {
        switch presence {
        case .optional: 0
        case .required: 1
        case .repeated: 2
        case .implicit: 3
        }
    }
}

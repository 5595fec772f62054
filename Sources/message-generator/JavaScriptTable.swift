/// Writes all schemas as one JavaScript module.
///
///     export const messages = {
///       'fs_op.PathArgs': [[1, 'path', 'string', 'required']],
///     };
///
/// The third element is a scalar type or the name of a message. The fourth is `required`, `optional` (absent is undefined),
/// `implicit` (proto3: absent is zero) or `repeated`.
enum JavaScriptTable {
    static func module(_ files: [SchemaFile]) -> String {
        let rows = files.flatMap { $0.messages }.flatMap(rows)
        return "// Made by message-generator.\nexport const messages = {\n\(rows.joined())};\n"
    }

    private static func rows(_ message: SchemaMessage) -> [String] {
        let fields = message.fields.map { field in
            "[\(field.number), '\(Names.lowerCamel(field.name))', '\(type(field.kind))', '\(field.presence)']"
        }
        return ["  '\(message.fullName)': [\(fields.joined(separator: ", "))],\n"] + message.nested.flatMap(rows)
    }

    private static func type(_ kind: SchemaField.Kind) -> String {
        if case .message(let name) = kind { name } else { "\(kind)" }
    }
}

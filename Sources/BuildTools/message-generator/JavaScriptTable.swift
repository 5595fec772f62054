/// Writes all schemas as one JavaScript module, as text: engines read a text much faster than as many arrays, and most scripts
/// use few of the messages.
///
/// Each message stands between bars, with its fields in ascending order:
///
///     |fs_op.WriteAtFdPosArgs 1fd!int32 2writePos?int64 3chunk!bytes|
///
/// The sign after a field's name is `!` if it is required, `?` if it is optional (absent is undefined), `*` if it is repeated,
/// and `:` if it is implicit (absent is zero). What follows is a scalar type, or a message by its full name.
enum JavaScriptTable {
    static func module(_ files: [SchemaFile]) -> String {
        "// Made by message-generator.\nexport const messages = '|\(files.flatMap(\.messages).flatMap(entries).joined())'\n"
    }

    private static func entries(_ message: SchemaMessage) -> [String] {
        let fields = message.fields.map { field in
            " \(field.number)\(Names.lowerCamel(field.name))\(sign(field.presence))\(type(field.kind))"
        }
        return ["\(message.fullName)\(fields.joined())|"] + message.nested.flatMap(entries)
    }

    private static func type(_ kind: SchemaField.Kind) -> String {
        if case .message(let name) = kind { name } else { "\(kind)" }
    }

    private static func sign(_ presence: SchemaField.Presence) -> Character {
        switch presence {
        case .required: "!"
        case .optional: "?"
        case .repeated: "*"
        case .implicit: ":"
        }
    }
}

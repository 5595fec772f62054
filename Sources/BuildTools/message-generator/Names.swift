/// How names of the schema are spelt in Swift and JavaScript.
enum Names {
    /// `is_file` becomes `isFile`, as in protobuf's JSON.
    static func lowerCamel(_ name: String) -> String {
        var result = ""
        var raise = false
        for character in name {
            if character == "_" || character == "-" {
                raise = true
            } else {
                result += raise ? character.uppercased() : String(character)
                raise = false
            }
        }
        return result
    }

    /// `fs_op` and `fn-calls` become `FsOp` and `FnCalls`.
    static func upperCamel(_ name: String) -> String {
        let camel = lowerCamel(name)
        return camel.prefix(1).uppercased() + camel.dropFirst()
    }

    /// `fs_op` becomes `FsOpProto`, the namespace of its messages.
    static func namespace(_ package: String) -> String { upperCamel(package) + "Proto" }

    /// `fs_op.AssetsFolderListing.AssetFolderItem` becomes `FsOpProto.AssetsFolderListing.AssetFolderItem`.
    static func swiftType(_ fullName: String) -> String {
        let parts = fullName.split(separator: ".")
        return ([namespace(String(parts[0]))] + parts.dropFirst().map(String.init)).joined(separator: ".")
    }

    /// A property's name: in backticks if Swift reserves it, with an underscore if every message has a member of that name.
    static func property(_ name: String) -> String {
        let camel = lowerCamel(name)
        if members.contains(camel) { return camel + "_" }
        return keywords.contains(camel) ? "`\(camel)`" : camel
    }

    private static let members: Set = ["encoded", "encodedSize", "hashValue", "init", "isZero", "self"]
    private static let keywords: Set = [
        "as", "break", "case", "catch", "class", "continue", "default", "defer", "do", "else", "enum", "extension",
        "false", "for", "func", "guard", "if", "import", "in", "internal", "is", "let", "nil", "operator", "private",
        "protocol", "public", "repeat", "return", "static", "struct", "subscript", "super", "switch", "throw", "throws",
        "true", "try", "var", "where", "while",
    ]
}

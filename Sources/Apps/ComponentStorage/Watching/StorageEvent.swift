internal import Components
internal import Storage
internal import Wire

/// What happened to a file or in a folder, as apps are told.
enum StorageEvent: Hashable, Sendable {
    case addition(FolderEntry, in: String)
    case removal(String, in: String)
    case renaming(String, to: String, in: String)
    /// With the version that the file has now; nil where there are none.
    case fileChange(String, version: UInt64?)
    /// What is watched is gone.
    case removed(String)

    /// The event in JSON, in a `common.StringValue`. Its source is `local`: nothing here is synced.
    var encoded: [UInt8] {
        let (type, path, more): (String, String, JSONObject) =
            switch self {
            case .addition(let entry, let path): ("entry-addition", path, ["entry": Self.json(entry)])
            case .removal(let name, let path): ("entry-removal", path, ["name": .string(name)])
            case .renaming(let old, let new, let path):
                ("entry-renaming", path, ["oldName": .string(old), "newName": .string(new)])
            case .fileChange(let path, let version):
                ("file-change", path, version.map { ["newVersion": .number(String($0))] } ?? [:])
            case .removed(let path): ("removed", path, [:])
            }
        var event: JSONObject = ["type": .string(type), "path": .string(path)]
        for member in more.members { event.append(member.name, member.value) }
        event.append("src", "local")
        return CommonProto.StringValue(value: JSONValue.object(event).text).encoded
    }

    private static func json(_ entry: FolderEntry) -> JSONValue {
        var object: JSONObject = ["name": .string(entry.name)]
        switch entry.kind {
        case .file: object.append("isFile", true)
        case .folder: object.append("isFolder", true)
        case .symbolicLink: object.append("isLink", true)
        case .other: break
        }
        return .object(object)
    }
}

/// Who wrote a record, as the name of its file tells it.
public struct RecordWriter: Hashable, Sendable {
    /// Nil in the names of older files.
    public let profile: String?
    public let instance: String
}

extension LogRecord {
    /// Nil if the file's name does not tell.
    public var writer: RecordWriter? {
        let name = file.split(separator: "/").last ?? ""
        if let log = LogName(String(name)) {
            return RecordWriter(profile: log.profile.map(String.init), instance: String(log.instance))
        }
        // The names of older files begin with the instance.
        return name.split(separator: "_").first.map { RecordWriter(profile: nil, instance: String($0)) }
    }
}

/// Who wrote a record, as the name of its file tells it.
package struct RecordWriter: Hashable, Sendable {
    /// Nil in the names of older files.
    package let profile: String?
    package let instance: String
}

extension RecordWriter {
    /// - Parameter file: the path of a file of a document. Nil if its name does not tell who wrote it.
    package init?(ofFile file: String) {
        let name = file.split(separator: "/").last ?? ""
        if let log = LogName(String(name)) {
            self.init(profile: log.profile.map(String.init), instance: String(log.instance))
        } else {
            // The names of older files begin with the instance.
            guard let instance = name.split(separator: "_").first else { return nil }
            self.init(profile: nil, instance: String(instance))
        }
    }
}

extension LogRecord {
    /// Nil if the file's name does not tell.
    package var writer: RecordWriter? { RecordWriter(ofFile: file) }
}

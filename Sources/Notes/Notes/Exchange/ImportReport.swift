/// What of an import is text now, because notes have nothing like it: each thing once, with the number of files and one of them.
struct ImportReport {
    private var files: [String: [String]] = [:]

    mutating func note(_ what: String, in file: ImportFiles.File) {
        if files[what]?.last != file.path { files[what, default: []].append(file.path) }
    }

    var lines: [String] {
        files.sorted { $0.key < $1.key }.map { what, files in
            files.count == 1 ? "\(what): \(files[0])" : "\(what): \(files.count) files, for example \(files[0])"
        }
    }
}

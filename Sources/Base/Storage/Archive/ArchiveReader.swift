package import Cryptography
internal import Platform

/// Reads an archive: only to check it, or into a folder.
package enum ArchiveReader {
    /// Extended attributes with this prefix are kept: those that belong to the user.
    static let attributePrefix = "user."

    /// Whether a symbolic link leads nowhere, whatever folder it is in.
    static func isHarmless(_ target: String) -> Bool {
        target.hasPrefix(".alcove-link/") && !target.split(separator: "/").contains("..")
    }

    /// Reads all of it.
    ///
    /// - Parameters:
    ///   - about: gets what the writer said about the archive, before anything else is read; it may refuse.
    ///   - folder: empty and private. Nil: everything is checked and nothing is written.
    ///   - allows: whether this name may be at the top of the archive.
    ///   - progress: called often with the amount so far and the size in bytes; false cancels.
    package static func read(
        _ path: String, passphrase: SecretBytes, into folder: String?,
        about: ([UInt8]) throws(ArchiveError) -> Void, allowing allows: (_ name: String, _ isFolder: Bool) -> Bool,
        progress: (ArchiveAmount, _ size: Int64) -> Bool
    ) throws(ArchiveError) -> ArchiveAmount {
        let file = try archiving { () throws(FileError) in
            // Opening a pipe would block, and it has no known end.
            let file = try FileDescriptor(path, flags: O_RDONLY | O_NONBLOCK)
            guard try file.status().kind == .file else { throw FileError(.failed, "\(path) is not a file") }
            return file
        }
        var opener = try ArchiveOpener.begin(file, passphrase: passphrase)
        var parser = ArchiveParser()
        var extraction = try folder.map { path throws(ArchiveError) in try ArchiveExtraction(path) }
        var leftOut: UInt64 = 0
        while let bytes = try opener.next() {
            parser.feed(bytes)
            while let record = try parser.next() {
                if case .about(let text) = record { try about(text) }
                try check(record, depth: parser.depth, allows)
                leftOut += try extraction?.take(record) ?? 0
            }
            var amount = ArchiveAmount()
            (amount.entries, amount.fileBytes) = (parser.entries, parser.fileBytes)
            (amount.archiveBytes, amount.leftOut) = (opener.offset, leftOut)
            if !progress(amount, opener.size) {
                throw ArchiveError(.failed, "it was given up, and nothing was written")
            }
        }
        try parser.finish()
        try extraction?.finish()
        var amount = ArchiveAmount()
        (amount.entries, amount.fileBytes) = (parser.entries, parser.fileBytes)
        (amount.archiveBytes, amount.leftOut) = (opener.offset, leftOut)
        return amount
    }

    private static func check(
        _ record: ArchiveRecord, depth: Int, _ allows: (String, Bool) -> Bool
    ) throws(ArchiveError) {
        let isAllowed =
            switch record {
            case .enter(let name): depth > 1 || allows(name, true)
            case .file(let name, _): depth > 0 || allows(name, false)
            case .link(_, let target): depth > 0 && isHarmless(target)
            case .attribute(let name, _): name.hasPrefix(attributePrefix)
            case .about, .leave, .data, .endOfFile, .end: true
            }
        guard isAllowed else { throw ArchiveError(.invalid, "the file holds what does not belong into a profile") }
    }
}

/// Makes the files of an archive, beneath one folder and never through a link.
private struct ArchiveExtraction: ~Copyable {
    /// From the outermost to the current one.
    private var folders: [Folder]
    private var file: FileDescriptor?
    private var modified: Int64 = 0

    init(_ path: String) throws(ArchiveError) {
        folders = [try archiving { () throws(FileError) in try Folder(path) }]
    }

    /// - Returns: 1 if the record was skipped because the file system has no extended attributes.
    mutating func take(_ record: ArchiveRecord) throws(ArchiveError) -> UInt64 {
        guard let present = folders.last else { return 0 }
        do throws(FileError) {
            switch record {
            case .about: break
            case .enter(let name):
                try present.makeFolder(name)
                folders.append(try present.folder(name))
            case .leave: folders.removeLast()
            case .file(let name, let modified):
                self.modified = modified
                file = try present.createPrivate(name)
            case .data(let bytes): try file?.write(bytes)
            case .endOfFile:
                if let file = file.take() {
                    try file.setModified(modified)
                    #if canImport(Darwin)
                    try file.synchronize()
                    #endif
                }
            case .link(let name, let target): try present.makeLink(name, to: target)
            case .attribute(let name, let value): return try set(name, value, of: present) ? 0 : 1
            case .end: try present.synchronizeEverything()
            }
        } catch { throw ArchiveError(error) }
        return 0
    }

    func finish() throws(ArchiveError) {
        guard file == nil, folders.count == 1 else { throw ArchiveError(.invalid, "the file is not complete") }
    }

    /// False where the file system has no attributes.
    private func set(_ name: String, _ value: [UInt8], of folder: Folder) throws(FileError) -> Bool {
        do throws(FileError) {
            let attributes = if let file { file.attributes } else { try folder.attributes() }
            try attributes.set(name, to: value)
            return true
        } catch {
            if error.code == .full { throw FileError(.full, "cannot write to \(folder.path): \(error.reason)") }
            return false
        }
    }
}

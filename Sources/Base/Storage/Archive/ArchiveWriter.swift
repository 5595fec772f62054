package import Cryptography
internal import Platform

/// How much of an archive was written or read.
public struct ArchiveAmount: Hashable, Sendable {
    /// Folders, files and links.
    public var entries: UInt64 = 0
    /// The bytes of all files.
    public var fileBytes: UInt64 = 0
    /// The bytes of the archive.
    public var archiveBytes: Int64 = 0
    /// Entries that were skipped: links that apps did not make, sockets, names that are not UTF-8, and attributes that
    /// are too large.
    public var leftOut: UInt64 = 0

    public init() {}
}

/// Writes folders into one sealed file, in constant memory. The file gets its name only when it is complete.
package final class ArchiveWriter {
    package private(set) var amount = ArchiveAmount()
    private let path: String
    private let temporary: String
    private var sealer: ArchiveSealer
    private var isFinished = false
    private let progress: (ArchiveAmount) -> Bool

    /// - Parameters:
    ///   - path: a path where nothing exists.
    ///   - about: what readers get first, at most ``ArchiveRecord/aboutLimit`` bytes.
    ///   - progress: called often with the amount so far; false cancels.
    package init(
        _ path: String, passphrase: SecretBytes, cost: Scrypt.Cost = .passphrase, about: [UInt8],
        progress: @escaping (ArchiveAmount) -> Bool
    ) throws(ArchiveError) {
        self.path = path
        self.progress = progress
        let temporary = "\(path).\(UInt64.random(in: 0...UInt64.max)).part"
        self.temporary = temporary
        sealer = try Self.begin(path, temporary, passphrase, cost)
        try put(.about(about))
    }

    private static func begin(
        _ path: String, _ temporary: String, _ passphrase: SecretBytes, _ cost: Scrypt.Cost
    ) throws(ArchiveError) -> ArchiveSealer {
        var status = stat()
        guard lstat(path, &status) != 0 else {
            throw ArchiveError(.failed, "there is something at \(path) already; choose another name")
        }
        do throws(ArchiveError) {
            let file = try archiving { () throws(FileError) in
                try FileDescriptor(temporary, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
            }
            return try ArchiveSealer.begin(file, passphrase: passphrase, cost: cost)
        } catch {
            unlink(temporary)
            throw error
        }
    }

    deinit {
        if !isFinished { unlink(temporary) }
    }

    /// Adds a file, or a folder with everything in it. Entries that vanish meanwhile are skipped.
    package func add(_ name: String, of folder: Folder) throws(ArchiveError) {
        guard let status = try archiving({ () throws(FileError) in try folder.status(of: name) }) else { return }
        switch status.kind {
        case .file: try addFile(name, of: folder)
        case .folder: try addFolder(name, of: folder)
        case .symbolicLink: try addLink(name, of: folder)
        case .other: amount.leftOut += 1
        }
    }

    /// The file gets its name. It is on the disk when this returns.
    package func finish() throws(ArchiveError) {
        try put(.end(entries: amount.entries, bytes: amount.fileBytes))
        try sealer.finish()
        amount.archiveBytes = sealer.byteCount
        try archiving { () throws(FileError) in
            // Another file may have taken the name meanwhile, and a hard link does not replace it. File systems without
            // hard links need a rename.
            if link(temporary, path) == 0 {
                unlink(temporary)
            } else if errno == EEXIST || rename(temporary, path) != 0 {
                throw .last("make", path)
            }
            isFinished = true
            try AtomicFile.synchronizeFolder(of: path)
        }
    }

    private func addFile(_ name: String, of folder: Folder) throws(ArchiveError) {
        guard let file = try Self.open(name, in: folder) else { return }
        let status = try archiving { () throws(FileError) in try file.status() }
        try count()
        try put(.file(name, modified: status.modified.allNanoseconds))
        try addAttributes(file.attributes)
        var offset: Int64 = 0
        // Bytes that are appended while the file is read are left out, so that reading ends.
        while offset < status.size {
            let wanted = Int(min(Int64(ArchiveRecord.dataLimit), status.size - offset))
            let bytes = try archiving { () throws(FileError) in try file.read(at: offset, atMost: wanted) }
            guard !bytes.isEmpty else { break }
            try put(.data(bytes[...]))
            offset += Int64(bytes.count)
            amount.fileBytes += UInt64(bytes.count)
            try tell()
        }
        try put(.endOfFile)
    }

    /// Nil if it is gone. A file that replaced it meanwhile may come later in the listing.
    private static func open(
        _ name: String, in folder: Folder
    ) throws(ArchiveError) -> FileDescriptor? {
        do throws(FileError) { return try folder.open(name) } catch {
            guard error.code != .missing else { return nil }
            throw ArchiveError(error)
        }
    }

    private func addFolder(_ name: String, of folder: Folder, depth: Int = 1) throws(ArchiveError) {
        guard depth <= ArchiveParser.depthLimit else {
            throw ArchiveError(.failed, "\(folder.path) is nested too deep to be kept")
        }
        let inner = try archiving { () throws(FileError) in try folder.folder(name) }
        var passed: UInt64 = 0
        let names = try archiving { () throws(FileError) in
            try inner.names(atMost: 1_000_000, passing: { passed += 1 })
        }
        amount.leftOut += passed
        try count()
        try put(.enter(name))
        try addAttributes(try? inner.attributes())
        for name in names {
            let status = try archiving { () throws(FileError) in try inner.status(of: name) }
            if status?.kind == .folder {
                try addFolder(name, of: inner, depth: depth + 1)
            } else {
                try add(name, of: inner)
            }
        }
        try put(.leave)
    }

    /// Only links that lead nowhere are kept. Others would point to something else, perhaps harmful, where they are
    /// restored.
    private func addLink(_ name: String, of folder: Folder) throws(ArchiveError) {
        let target = try archiving { () throws(FileError) -> String? in
            do throws(FileError) { return try folder.linkTarget(name) } catch {
                if error.code == .damaged { return nil }
                throw error
            }
        }
        guard let target, ArchiveReader.isHarmless(target)
        else {
            amount.leftOut += 1
            return
        }
        try count()
        try put(.link(name, target: target))
    }

    private func addAttributes(_ attributes: ExtendedAttributes?) throws(ArchiveError) {
        guard let attributes, let names = try? attributes.names() else { return }
        for name in names where name.hasPrefix(ArchiveReader.attributePrefix) {
            guard let value = try? attributes.value(name, atMost: ArchiveRecord.attributeLimit) else {
                amount.leftOut += 1
                continue
            }
            try put(.attribute(name, value))
        }
    }

    private func count() throws(ArchiveError) {
        amount.entries += 1
        guard amount.entries <= ArchiveParser.entryLimit else {
            throw ArchiveError(.failed, "there are more than \(ArchiveParser.entryLimit) files")
        }
        try tell()
    }

    private func tell() throws(ArchiveError) {
        amount.archiveBytes = sealer.byteCount
        if !progress(amount) { throw ArchiveError(.failed, "it was given up, and nothing was written") }
    }

    private func put(_ record: ArchiveRecord) throws(ArchiveError) { try sealer.write(record.bytes) }
}

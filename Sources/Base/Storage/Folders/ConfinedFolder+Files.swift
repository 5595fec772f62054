internal import Platform

/// Looking at files and opening them.
extension ConfinedFolder {
    /// What the file system says about a path. Without `followingLinks`, a link at the end is looked at itself.
    package func status(
        _ path: ConfinedPath, followingLinks: Bool = true
    ) throws(FileError) -> FileStatus {
        guard followingLinks else {
            let place = try place(path, followingLast: false)
            return try FileStatus(of: place.name, in: place.folder.number)
        }
        return try atEnd(of: path) { place throws(FileError) in
            let status = try FileStatus(of: place.name, in: place.folder.number)
            return status.kind == .symbolicLink ? nil : status
        }
    }

    /// How a file is opened.
    package struct Opening: Hashable, Sendable {
        /// Whether it can be read.
        package var reads: Bool
        /// Whether it can be written.
        package var writes: Bool
        /// Every write goes to the end.
        package var appends = false
        /// Drops what is in the file.
        package var truncates = false
        /// Makes the file if it is missing.
        package var creates = false
        /// With `creates`: a file, folder or link that is there is an error.
        package var isExclusive = false
        /// Every write returns only when it is on the disk.
        package var synchronizes = false

        package init(reads: Bool, writes: Bool) { (self.reads, self.writes) = (reads, writes) }

        /// Reads a file that is there.
        package static let reading = Opening(reads: true, writes: false)
        /// Reads and writes a file that is there.
        package static let updating = Opening(reads: true, writes: true)
        /// Reads and writes; a file that is missing is made.
        package static let creating: Opening = {
            var opening = updating
            opening.creates = true
            return opening
        }()
        /// Reads and writes a file that was not there.
        package static let new: Opening = {
            var opening = creating
            opening.isExclusive = true
            return opening
        }()

        fileprivate var flags: Int32 {
            var flags = reads && writes ? O_RDWR : writes ? O_WRONLY : O_RDONLY
            if appends { flags |= O_APPEND }
            if truncates { flags |= O_TRUNC }
            if creates { flags |= O_CREAT }
            if isExclusive { flags |= O_EXCL }
            if synchronizes { flags |= O_SYNC }
            // Opening a pipe must not wait for a reader.
            return flags | O_NONBLOCK | O_NOCTTY
        }
    }

    /// Opens a file, or a folder for reading and synchronizing. Pipes, sockets and devices are refused.
    package func open(_ path: ConfinedPath, _ opening: Opening) throws(FileError) -> FileDescriptor {
        let file = try descriptor(path, opening)
        let kind = try file.status().kind
        guard kind == .file || kind == .folder else {
            throw FileError(.notFile, reason: "it is neither file nor folder")
        }
        return file
    }

    private func descriptor(_ path: ConfinedPath, _ opening: Opening) throws(FileError) -> FileDescriptor {
        if opening.isExclusive {
            let place = try place(path, followingLast: false)
            return try place.folder.descriptor(place.name, opening.flags, place.path)
        }
        return try atEnd(of: path) { place throws(FileError) in
            let number = FileDescriptor.retry {
                openat(place.folder.number, place.name, opening.flags | O_CLOEXEC | O_NOFOLLOW, mode_t(0o600))
            }
            if number < 0, errno == ELOOP { return nil }
            return try FileDescriptor(number, place.path)
        }
    }

    /// Copies a file's content. A new file is removed again if that fails.
    package func copyFile(
        from source: ConfinedPath, to target: ConfinedPath, overwriting: Bool
    ) throws(FileError) {
        let reader = try open(source, .reading)
        let found = try reader.status()
        if found.kind == .folder { throw FileError(number: EISDIR) }
        var opening = overwriting ? Opening.creating : .new
        opening.reads = false
        let writer = try open(target, opening)
        guard try writer.status().inode != found.inode else { return }
        do throws(FileError) {
            try writer.truncate(to: 0)
            var offset: Int64 = 0
            while true {
                let chunk = try reader.read(at: offset, atMost: 1 << 20)
                if chunk.isEmpty { return }
                try writer.write(chunk[...], at: offset)
                offset += Int64(chunk.count)
            }
        } catch {
            if !overwriting { try? removeFile(target) }
            throw error
        }
    }
}

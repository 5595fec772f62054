internal import Components
internal import Storage

/// Copies, also out of other storages.
extension Tree {
    /// Copies a file.
    /// - Parameter overwrite: whether it may take the place of another file.
    /// - Returns: the version of the copy.
    @discardableResult
    func copyFile(
        _ source: Location, of other: Tree, to destination: Location, overwrite: Bool
    ) throws(RuntimeException) -> UInt64 {
        let file = try other.open(source)
        let (place, _) = try writingPlace(
            destination, WritingFlags(truncate: true, create: true, exclusive: !overwrite))
        let draft = try Draft(in: self, for: destination)
        try fill(draft, with: file, from: source, of: other, to: destination)
        return try draft.commit(to: place, replacing: overwrite, at: destination)
    }

    /// Puts content and attributes of a file into a draft.
    func fill(
        _ draft: Draft, with file: FileDescriptor, from source: Location, of other: Tree, to destination: Location
    ) throws(RuntimeException) {
        let size = try source.attempt { () throws(FileError) in try file.status().size }
        let attributes = StoredAttributes(file.attributes)
        try draft.reserve(
            size.saturatingSum(attributes.byteCount), at: destination)
        try draft.file.take(from: file, at: 0, count: size, to: 0, at: destination) { () throws(RuntimeException) in
            try checkOpen()
            try other.checkOpen()
        }
        try destination.attempt { () throws(FileError) in
            try StoredAttributes(draft.file.attributes).copy(from: attributes)
        }
    }

    /// Copies a folder with what is in it. Where nothing was, all of it appears at once; where a folder was, the two become one,
    /// file by file.
    ///
    /// A link in it is copied if its target is, too, or if it stays in the same storage; others are left out.
    func copyFolder(
        _ source: Location, of other: Tree, to destination: Location, merge: Bool
    ) throws(RuntimeException) {
        guard try other.existing(source).kind == .folder else { throw source.exception(.notDirectory) }
        if other === self, destination.path.isWithin(source.path) {
            throw destination.exception(.denied, "a folder cannot be copied into itself")
        }
        var copy = FolderCopy(source, of: other, to: destination, in: self)
        switch try status(destination)?.kind {
        case nil: try copy.appear()
        case .folder where merge: try copy.merge()
        case .folder: throw destination.exception(.alreadyExists)
        default: throw merge ? destination.exception(.notDirectory) : destination.exception(.alreadyExists)
        }
    }
}

extension FileDescriptor {
    /// Copies bytes of another file, in parts.
    /// - Parameter proceed: asked before each part; throws when the work is to end.
    /// - Returns: how many there were.
    @discardableResult
    func take(
        from other: FileDescriptor, at source: Int64, count: Int64, to offset: Int64, at location: Location,
        while proceed: () throws(RuntimeException) -> Void
    ) throws(RuntimeException) -> Int64 {
        var done: Int64 = 0
        while done < count {
            try proceed()
            let part = min(count - done, 16 << 20)
            let copied = try location.attempt { () throws(FileError) in
                try copy(from: other, at: source + done, count: part, to: offset + done)
            }
            done += copied
            if copied < part { break }
        }
        return done
    }
}

internal import Components
internal import Storage

/// How a call that writes a file treats one that exists, or does not.
struct WritingFlags: Hashable, Sendable {
    /// Whether the old content goes. If not, it is written over from its beginning.
    var truncate = true
    /// Whether a missing file, with its folders, is made.
    var create = true
    /// Whether a file that is there is an error.
    var exclusive = false
    /// The version that the file has to have; nil for any.
    var currentVersion: UInt64?
}

extension Tree {
    /// Where a file may be written, with the folders made that it lies in, and the file that is there.
    func writingPlace(
        _ location: Location, _ flags: WritingFlags
    ) throws(RuntimeException) -> (place: Place, old: FileDescriptor?) {
        guard location.path.name != nil else { throw location.exception(.isDirectory) }
        switch try status(location)?.kind {
        case .file:
            if flags.exclusive { throw location.exception(.alreadyExists) }
            return (try place(location), try open(location))
        case .folder: throw location.exception(.isDirectory)
        case .symbolicLink, .other: throw location.exception(.notFile)
        case nil:
            guard flags.create else {
                // Says what is wrong on the way, if something is.
                _ = try place(location)
                throw location.exception(.missing)
            }
            return (try madePlace(location), nil)
        }
    }

    /// Replaces or makes a file, and returns its version.
    @discardableResult
    func write(
        _ bytes: ArraySlice<UInt8>, to location: Location, _ flags: WritingFlags
    ) throws(RuntimeException) -> UInt64 {
        _ = try checked(Int64(bytes.count), at: location)
        let (place, old) = try writingPlace(location, flags)
        let draft = try Draft(in: self, for: location)
        var size = Int64(bytes.count)
        if !flags.truncate, let old {
            let oldSize = try location.attempt { () throws(FileError) in try old.status().size }
            size = max(size, oldSize)
        }
        try draft.reserve(size, at: location)
        try location.attempt { () throws(FileError) in
            if size > Int64(bytes.count), let old {
                let rest = Int64(bytes.count)
                try draft.file.copy(from: old, at: rest, count: size - rest, to: rest)
            }
            try draft.file.write(bytes, at: 0)
        }
        return try draft.commit(
            to: place, replacing: !flags.exclusive, current: flags.currentVersion, at: location)
    }

    /// The place of something new, with the folders made that it lies in.
    func madePlace(_ location: Location) throws(RuntimeException) -> Place {
        guard let name = location.path.name else { throw location.exception(.alreadyExists) }
        let parent = Location(path: location.path.parent, shown: location.shown)
        return Place(folder: try madeFolder(parent), name: name)
    }

    /// Opens a folder, and makes it with those above it where they are missing.
    func madeFolder(_ location: Location) throws(RuntimeException) -> Folder {
        var folder = folder
        for name in location.path.steps { folder = try madeFolder(name, in: folder, at: location) }
        return folder
    }

    /// - Parameter isVisible: whether apps see it; what the storage keeps for itself makes no version of the folder that it lies in.
    func madeFolder(
        _ name: String, in folder: Folder, at location: Location, isVisible: Bool = true
    ) throws(RuntimeException) -> Folder {
        if let kind = try location.attempt({ () throws(FileError) in try folder.status(of: name)?.kind }) {
            guard kind == .folder else { throw location.exception(.notDirectory) }
        } else {
            try reserve(StorageLimits.entryCost, at: location)
            do throws(FileError) {
                if isVisible { try advance(folder) }
                try folder.makeFolder(name)
                try folder.synchronize()
            } catch {
                quota.release(StorageLimits.entryCost)
                guard error.code == .alreadyExists else { throw .file(error, at: location.shown) }
            }
        }
        return try location.attempt { () throws(FileError) in try folder.folder(name) }
    }

    /// Makes a folder, with those above it.
    /// - Parameter exclusive: whether one that is there is an error.
    func makeFolder(_ location: Location, exclusive: Bool) throws(RuntimeException) {
        if exclusive, try status(location) != nil { throw location.exception(.alreadyExists) }
        _ = try madeFolder(location)
    }
}

internal import Platform

/// Making, renaming and removing what is in the folder. Nothing here is flushed to the disk; ``synchronize(_:)`` does that.
extension ConfinedFolder {
    /// Makes a folder. Throws `alreadyExists` if there is anything of that name.
    package func makeFolder(_ path: ConfinedPath) throws(FileError) {
        if path.steps.isEmpty { throw FileError(number: EEXIST) }
        let place = try place(path, followingLast: false).changeable()
        guard mkdirat(place.folder.number, place.name, 0o700) == 0 else { throw .last }
    }

    /// Makes a folder, and its missing parents.
    package func makeFolders(_ path: ConfinedPath) throws(FileError) {
        do throws(FileError) {
            try makeFolder(path)
        } catch {
            switch error.code {
            case .alreadyExists:
                guard try status(path).kind == .folder else { throw error }
            case .missing where path.steps.count > 1:
                try makeFolders(path.parent)
                do throws(FileError) { try makeFolder(path) } catch {
                    // Another process may have been faster.
                    guard error.code == .alreadyExists, try status(path).kind == .folder else { throw error }
                }
            default: throw error
            }
        }
    }

    /// Gives something another name. A file or an empty folder of the new name is replaced in one step, unless `isExclusive`.
    package func rename(
        _ old: ConfinedPath, to new: ConfinedPath, isExclusive: Bool = false
    ) throws(FileError) {
        let (from, to) = try (
            place(old, followingLast: false).changeable(), place(new, followingLast: false).changeable()
        )
        let call = isExclusive ? Folder.renameNew : renameat
        guard call(from.folder.number, from.name, to.folder.number, to.name) == 0 else { throw .last }
    }

    /// Removes a file or a symbolic link. A folder throws `isDirectory`.
    package func removeFile(_ path: ConfinedPath) throws(FileError) {
        let place = try place(path, followingLast: false).changeable()
        if unlinkat(place.folder.number, place.name, 0) == 0 { return }
        let error = FileError.last
        // Darwin returns EPERM for folders.
        if error.code == .denied,
            (try? FileStatus(of: place.name, in: place.folder.number))?.kind == .folder
        {
            throw FileError(number: EISDIR)
        }
        throw error
    }

    /// Removes an empty folder. One that has something in it throws `notEmpty`.
    package func removeFolder(_ path: ConfinedPath) throws(FileError) {
        let place = try place(path, followingLast: false).changeable()
        guard unlinkat(place.folder.number, place.name, AT_REMOVEDIR) == 0 else { throw .last }
    }

    /// Makes a symbolic link with exactly this target. It may lead anywhere, because links that lead outside are not
    /// followed here.
    package func makeLink(_ path: ConfinedPath, target: String) throws(FileError) {
        guard !target.utf8.contains(0), 1...ConfinedPath.byteLimit ~= target.utf8.count else {
            throw FileError(.failed, reason: "the target of a link is empty, too long or holds a zero byte")
        }
        if path.steps.isEmpty { throw FileError(number: EEXIST) }
        let place = try place(path, followingLast: false).changeable()
        guard symlinkat(target, place.folder.number, place.name) == 0 else { throw .last }
    }

    /// The target of a symbolic link as it was made.
    package func linkTarget(_ path: ConfinedPath) throws(FileError) -> String {
        let place = try place(path, followingLast: false)
        if let target = try place.folder.target(ofLink: place.name) { return target }
        _ = try FileStatus(of: place.name, in: place.folder.number)
        throw FileError(number: EINVAL)
    }

    /// Returns when the names in a folder are on the disk.
    package func synchronize(_ path: ConfinedPath) throws(FileError) { try open(path, .reading).synchronize() }
}

internal import Components
internal import Storage

/// Removing and moving.
extension Tree {
    func deleteFile(_ location: Location) throws(RuntimeException) {
        let status = try existing(location)
        if status.kind == .folder { throw location.exception(.isDirectory) }
        guard status.kind == .file else { throw location.exception(.notFile) }
        try remove(location, of: status.size)
    }

    func deleteLink(_ location: Location) throws(RuntimeException) {
        guard try existing(location).kind == .symbolicLink else { throw .file(flag: "notLink", at: location.shown) }
        try remove(location, of: 0)
    }

    private func remove(_ location: Location, of size: Int64) throws(RuntimeException) {
        let place = try place(location)
        let attributes = StoredAttributes.byteCount(of: place.name, in: place.folder)
        removeArchive(of: place.name, in: place.folder)
        try location.attempt { () throws(FileError) in
            try advance(place.folder)
            guard try place.folder.remove(place.name) else { throw FileError(.missing, reason: "") }
            try place.folder.synchronize()
        }
        quota.release(size.saturatingSum(attributes).saturatingSum(StorageLimits.entryCost))
    }

    /// Removes a folder. With its content, it vanishes at once as a whole, and is taken apart afterwards.
    func deleteFolder(_ location: Location, withContent: Bool) throws(RuntimeException) {
        let place = try place(location)
        guard try existing(location).kind == .folder else { throw location.exception(.notDirectory) }
        guard withContent else {
            removeArchives(in: try openFolder(location))
            try location.attempt { () throws(FileError) in
                try advance(place.folder)
                guard try place.folder.removeEmptyFolder(place.name) else { throw FileError(.missing, reason: "") }
                try place.folder.synchronize()
            }
            return quota.release(StorageLimits.entryCost)
        }
        try location.attempt { () throws(FileError) in
            let name = WorkFolder.freshName()
            let work = try work.folder()
            try advance(place.folder)
            try place.folder.move(place.name, to: work, as: name, replacing: false)
            try place.folder.synchronize()
            let freed = try TreeRemoval().remove(name, in: work)
            quota.release(freed)
        }
    }

    /// Renames or moves an item. Missing parent folders are made. An item that already has the new name is an error.
    func move(_ source: Location, to destination: Location) throws(RuntimeException) {
        let from = try place(source)
        let kind = try existing(source).kind
        if try status(destination) != nil { throw destination.exception(.alreadyExists) }
        guard !destination.path.isWithin(source.path) else {
            throw destination.exception(.denied, "a folder cannot be moved into itself")
        }
        if kind == .folder { try checkFit(of: source, at: destination) }
        let to = try madePlace(destination)
        // One that leads out of the storage was made by others, and stays what it says.
        if kind == .symbolicLink, let link = try? link(at: source) { return try move(link, from, destination, to) }
        try destination.attempt { () throws(FileError) in
            try advance(from.folder)
            try advance(to.folder)
            try from.folder.move(from.name, to: to.folder, as: to.name, replacing: false)
            try to.folder.synchronize()
            try from.folder.synchronize()
        }
        if kind == .file { try moveArchive(of: to.name, from: from.folder, to: to.folder, at: destination) }
    }

    /// Throws if something in a folder would lie deeper in another place than any path leads.
    private func checkFit(of source: Location, at destination: Location) throws(RuntimeException) {
        let (old, new) = (source.path.steps, destination.path.steps)
        let bytes = destination.path.byteCount
        guard new.count > old.count || bytes > source.path.byteCount else { return }
        let folder = try openFolder(source)
        var walk = TreeWalk(folder)
        var isDeep = false
        var goesOn = true
        while goesOn, !isDeep {
            try checkOpen()
            var (depth, start) = (0, 0)
            goesOn = try source.attempt { () throws(FileError) in
                try walk.next { _, steps in
                    (depth, start) = (new.count + steps.count, bytes + ConfinedPath(steps: steps).byteCount + 2)
                } _: { _, entry in
                    let fits =
                        depth < ConfinedPath.stepLimit && start + entry.name.utf8.count <= ConfinedPath.byteLimit
                    isDeep = !fits
                    return fits && isOpen
                }
            }
        }
        try checkOpen()
        guard isDeep else { return }
        throw .limit(
            "what is in the folder would lie too deep there: a path has at most \(ConfinedPath.stepLimit) steps and \(ConfinedPath.byteLimit) bytes",
            at: destination.shown)
    }

    /// A link says where its target is from where it lies itself, so it has to say something else there. A process that is
    /// killed in between leaves both.
    private func move(
        _ link: StoredLink, _ from: Place, _ destination: Location, _ to: Place
    ) throws(RuntimeException) {
        try destination.attempt { () throws(FileError) in
            try advance(from.folder)
            try advance(to.folder)
            try to.folder.makeLink(to.name, to: link.text(at: destination.path))
            try to.folder.synchronize()
            guard try from.folder.remove(from.name) else { throw FileError(.missing, reason: "") }
            try from.folder.synchronize()
        }
    }
}

extension ConfinedPath {
    /// The bytes of its text.
    fileprivate var byteCount: Int { steps.reduce(max(0, steps.count - 1)) { $0 + $1.utf8.count } }
}

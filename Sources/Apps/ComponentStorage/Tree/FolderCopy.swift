internal import Components
internal import Storage

/// The copying of one folder.
struct FolderCopy: ~Copyable {
    private let source: Location
    private let other: Tree
    private let destination: Location
    private let tree: Tree
    private var budget: Int

    init(_ source: Location, of other: Tree, to destination: Location, in tree: Tree) {
        self.source = source
        self.other = other
        self.destination = destination
        self.tree = tree
        budget = tree.limits.entries
    }

    /// Makes the copy aside, and gives it its name when it is whole.
    mutating func appear() throws(RuntimeException) {
        let place = try tree.madePlace(destination)
        let (work, path, name) = try destination.attempt { () throws(FileError) in
            let work = try tree.work.folder()
            let name = WorkFolder.freshName()
            return (work, try tree.work.path().appending(name), name)
        }
        do throws(RuntimeException) {
            try merge(source, into: Location(path: path, shown: destination.shown), destination.path)
            try destination.attempt { () throws(FileError) in
                try tree.advance(place.folder)
                try work.move(name, to: place.folder, as: place.name, replacing: false)
                try place.folder.synchronize()
            }
        } catch {
            if let freed = try? TreeRemoval().remove(name, in: work) { tree.quota.release(freed) }
            throw error
        }
    }

    mutating func merge() throws(RuntimeException) { try merge(source, into: destination, destination.path) }

    /// - Parameter place: where it will lie in the end, which is what links are written for.
    private mutating func merge(
        _ source: Location, into destination: Location, _ place: ConfinedPath, depth: Int = 0
    ) throws(RuntimeException) {
        guard depth <= tree.limits.depth else {
            throw .limit("folders are copied \(tree.limits.depth) deep at most", at: source.shown)
        }
        try tree.makeFolder(destination, exclusive: false)
        for entry in try other.entries(source) {
            try tree.checkOpen()
            try other.checkOpen()
            budget -= 1
            guard budget >= 0 else {
                throw .limit("at most \(tree.limits.entries) entries are copied at once", at: self.source.shown)
            }
            let (from, to) = (try source.child(entry.name), try destination.child(entry.name))
            let end = try to.attempt { () throws(FileError) in try place.appending(entry.name) }
            switch entry.kind {
            case .file: try tree.copyFile(from, of: other, to: to, overwrite: true)
            case .folder: try merge(from, into: to, end, depth: depth + 1)
            case .symbolicLink: try copyLink(from, to: to, end)
            case .other: break
            }
        }
    }

    /// One that leads out of what is copied would mean something else in another storage, and stays behind.
    private func copyLink(_ from: Location, to: Location, _ end: ConfinedPath) throws(RuntimeException) {
        var link: StoredLink
        do throws(RuntimeException) {
            link = try other.link(at: from)
        } catch {
            return
        }
        if link.target.isWithin(source.path) {
            link.target = try to.attempt { () throws(FileError) in
                try destination.path.appending(link.target.below(source.path))
            }
        } else if other !== tree {
            return
        }
        if try tree.status(to)?.kind == .symbolicLink { try tree.deleteLink(to) }
        try tree.makeLink(saying: link.text(at: end), at: to)
    }
}

internal import Platform

/// A folder whose files are reached by paths that others chose. No path leads out of it.
///
/// Every step of a path is opened from the folder before it and never by name from the top, so neither `..`, nor
/// symbolic links, nor concurrent renames lead outside. Links that stay inside are followed, as POSIX has it. Calls are
/// synchronous and may come from any thread.
///
/// ```swift
/// let folder = try ConfinedFolder("/home/ann/.alcove/apps/feeds")
/// let file = try folder.open("days/monday.json", .creating)
/// try file.write(bytes[...], at: 0)
/// ```
package final class ConfinedFolder: Sendable {
    /// The folder's path without links. A link inside that is absolute must point beneath it.
    package let path: String
    /// The steps of its path, and of the path by which it was opened, which may contain links.
    private let stepsAbove: [[String]]
    /// The folder itself, for work that never follows links.
    package let root: Folder

    /// How many links one path may lead through.
    static let linkLimit = 40

    /// Opens a folder that is there. Links in this path are followed: the host chose it.
    package init(_ path: String) throws(FileError) {
        guard let resolved = realpath(path, nil) else { throw .last }
        defer { free(resolved) }
        self.path = String(cString: resolved)
        stepsAbove = [self.path, path].filter { $0.utf8.first == UInt8(ascii: "/") }.map(ConfinedPath.normalisedSteps)
        root = try Folder(self.path)
    }

    private init(root: Folder, path: String) {
        self.root = root
        self.path = path
        stepsAbove = [ConfinedPath.normalisedSteps(path)]
    }

    /// The path that a text names: relative to this folder, or absolute and then beneath it. `..` is resolved in the
    /// text, as Node's `path.normalize` does.
    package func path(named text: String) throws(FileError) -> ConfinedPath {
        guard text.utf8.first == UInt8(ascii: "/") else { return try ConfinedPath(text) }
        let steps = ConfinedPath.normalisedSteps(text)
        guard let above = stepsAbove.first(where: { steps.starts(with: $0) }) else { throw .outside }
        return try ConfinedPath(steps.dropFirst(above.count).joined(separator: "/"))
    }

    /// A folder inside, as a confined folder of its own: links in it may not lead into this one either.
    package func folder(_ path: ConfinedPath) throws(FileError) -> ConfinedFolder {
        let (place, steps) = try resolve(path, followingLast: true)
        let path = ([self.path] + steps).joined(separator: "/")
        let folder = try place.folder.descriptor(place.name, O_RDONLY | O_DIRECTORY, path)
        return ConfinedFolder(root: Folder(folder), path: path)
    }

    /// A name in an open folder.
    struct Place {
        var folder: Folder
        /// One step; `.` for the root.
        var name: String

        /// For messages.
        var path: String { "\(folder.path)/\(name)" }

        /// For calls that remove, rename or make: throws for the root itself.
        func changeable() throws(FileError) -> Place {
            if name == "." { throw FileError(.denied, reason: "the folder itself cannot be changed") }
            return self
        }
    }

    /// The place of a path.
    /// - Parameter followingLast: whether a link at the end is followed, too. What is then done at the place must still not
    ///   follow links, because another process may put one there in the meantime.
    func place(_ path: ConfinedPath, followingLast: Bool) throws(FileError) -> Place {
        if !followingLast {
            guard let name = path.name else { return Place(folder: root, name: ".") }
            if path.steps.count == 1 { return Place(folder: root, name: name) }
            if let folder = try root.folder(beneath: path.steps.dropLast()) { return Place(folder: folder, name: name) }
        }
        return try resolve(path, followingLast: followingLast).place
    }

    /// Does something at a place that must not be a link, and resolves the path again if another process made it one.
    func atEnd<Result>(
        of path: ConfinedPath, _ body: (Place) throws(FileError) -> Result?
    ) throws(FileError) -> Result {
        if let result = try body(place(path, followingLast: false)) { return result }
        for _ in 0..<8 {
            if let result = try body(resolve(path, followingLast: true).place) { return result }
        }
        throw FileError(.busy, reason: "another process keeps changing the path")
    }

    /// Walks step by step, and into the targets of links. `..` returns to a folder that is still open, so it does not
    /// matter what the system takes for `..` by now.
    private func resolve(
        _ path: ConfinedPath, followingLast: Bool
    ) throws(FileError) -> (place: Place, steps: [String]) {
        var open: [(name: String, folder: Folder)] = []
        var ahead = Array(path.steps.reversed())
        var links = 0
        while let step = ahead.popLast() {
            let folder = open.last?.folder ?? root
            if step == ".." {
                guard open.popLast() != nil else { throw .outside }
                continue
            }
            let isLast = ahead.isEmpty
            if isLast, !followingLast { return (Place(folder: folder, name: step), open.map(\.name) + [step]) }
            if let target = try folder.target(ofLink: step) {
                links += 1
                guard links <= Self.linkLimit else { throw FileError(number: ELOOP) }
                let (steps, isFromRoot) = try linkSteps(target)
                guard ahead.count + steps.count <= ConfinedPath.byteLimit else { throw FileError(number: ELOOP) }
                if isFromRoot { open = [] }
                ahead += steps.reversed()
            } else if isLast {
                return (Place(folder: folder, name: step), open.map(\.name) + [step])
            } else {
                open.append((step, try folder.folder(step)))
            }
        }
        guard let last = open.last else { return (Place(folder: root, name: "."), []) }
        return (Place(folder: last.folder, name: "."), open.map(\.name))
    }

    /// The steps of a link's target, upward ones too, and whether they begin at the root.
    private func linkSteps(_ target: String) throws(FileError) -> (steps: [String], isFromRoot: Bool) {
        guard target.utf8.first == UInt8(ascii: "/") else { return (ConfinedPath.split(target), false) }
        let steps = ConfinedPath.split(target)
        guard let above = stepsAbove.first(where: { steps.starts(with: $0) }) else { throw .outside }
        return (Array(steps.dropFirst(above.count)), true)
    }
}

internal import Components
internal import Storage

/// What a link of an app says: where its target is, and whether it may be written through it.
///
/// It is kept as a symbolic link with a relative path, so that whoever looks at the folder follows it, too. Apps do not: the path
/// is read as text. A path that begins with `./` stands for a target that may be written; every other link, whoever made it, is for
/// reading.
struct StoredLink: Hashable, Sendable {
    /// From the storage's root.
    var target: ConfinedPath
    var isWritable: Bool

    init(target: ConfinedPath, isWritable: Bool) {
        self.target = target
        self.isWritable = isWritable
    }

    /// Reads what a link says that lies at `place`. Throws if its target is not beneath the storage's root.
    init(_ text: String, at place: ConfinedPath) throws(ConfinedError) {
        guard !text.hasPrefix("/") else { throw ConfinedError(.notPermitted, "the link leads out of the storage") }
        target = try ConfinedPath("\(place.parent)/\(text)")
        isWritable = text.hasPrefix("./")
    }

    /// What it says when it lies at `place`.
    func text(at place: ConfinedPath) -> String {
        let folder = place.parent.steps
        let common = zip(folder, target.steps).prefix { $0 == $1 }.count
        let steps = Array(repeating: "..", count: folder.count - common) + target.steps.dropFirst(common)
        let path = steps.isEmpty ? "." : steps.joined(separator: "/")
        return isWritable ? "./" + path : path
    }
}

extension Tree {
    func link(at location: Location) throws(RuntimeException) -> StoredLink {
        guard try existing(location).kind == .symbolicLink else { throw .file(flag: "notLink", at: location.shown) }
        let place = try place(location)
        return try location.attempt { () throws(ConfinedError) in
            guard let text = try place.folder.linkTarget(place.name) else { throw ConfinedError(.notFound, "") }
            return try StoredLink(text, at: location.path)
        }
    }

    func makeLink(_ link: StoredLink, at location: Location) throws(RuntimeException) {
        try makeLink(saying: link.text(at: location.path), at: location)
    }

    func makeLink(saying text: String, at location: Location) throws(RuntimeException) {
        if try status(location) != nil { throw location.exception(.alreadyExists) }
        let place = try madePlace(location)
        try quota.reserve(StorageLimits.entryCost, at: location)
        do throws(ConfinedError) {
            try place.folder.makeLink(place.name, to: text)
            try place.folder.synchronize()
        } catch {
            quota.release(StorageLimits.entryCost)
            throw .file(error, at: location.shown)
        }
    }
}

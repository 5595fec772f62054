internal import Components
internal import Storage

/// What a link of an app says: where its target is, and whether it may be written through it.
///
/// It is kept as a symbolic link that leads nowhere, because backups, editors and other programs of the person would follow it: its
/// text goes downwards only, through a folder that no app can make, so it leads nowhere wherever it is moved. The text says one of
///
/// * `.alcove-link/read/here/PATH`: beneath the folder that the link lies in, with which both move,
/// * `.alcove-link/read/root/PATH`: anywhere else, from the storage's root,
///
/// or the same with `write`. Every other link was made by others: its text is a path, and it is for reading.
struct StoredLink: Hashable, Sendable {
    /// From the storage's root.
    var target: ConfinedPath
    var isWritable: Bool

    /// What apps cannot name in any folder.
    static let name = ".alcove-link"

    init(target: ConfinedPath, isWritable: Bool) {
        self.target = target
        self.isWritable = isWritable
    }

    /// Reads what a link says that lies at `place`. Throws if its target is not beneath the storage's root.
    init(_ text: String, at place: ConfinedPath) throws(FileError) {
        for isWritable in [false, true] {
            if let path = Self.path(in: text, after: Self.start(isWritable, isHere: true)) {
                self.init(target: try place.parent.appending(ConfinedPath(path)), isWritable: isWritable)
                return
            }
            if let path = Self.path(in: text, after: Self.start(isWritable, isHere: false)) {
                self.init(target: try ConfinedPath(path), isWritable: isWritable)
                return
            }
        }
        guard text.utf8.first != UInt8(ascii: "/") else {
            throw FileError(.denied, reason: "the link leads out of the storage")
        }
        self.init(target: try ConfinedPath("\(place.parent)/\(text)"), isWritable: false)
    }

    /// What it says when it lies at `place`.
    func text(at place: ConfinedPath) -> String {
        let isHere = target.isWithin(place.parent)
        let path = isHere ? target.below(place.parent) : target
        return Self.start(isWritable, isHere: isHere) + path.description
    }

    private static func start(_ isWritable: Bool, isHere: Bool) -> String {
        "\(name)/\(isWritable ? "write" : "read")/\(isHere ? "here" : "root")/"
    }

    /// Compares bytes, because to Swift a slash before a combining mark is another character.
    private static func path(in text: String, after start: String) -> String? {
        guard text.utf8.starts(with: start.utf8) else { return nil }
        return String(Substring(text.utf8.dropFirst(start.utf8.count)))
    }
}

extension Tree {
    func link(at location: Location) throws(RuntimeException) -> StoredLink {
        guard try existing(location).kind == .symbolicLink else { throw .file(flag: "notLink", at: location.shown) }
        let place = try place(location)
        return try location.attempt { () throws(FileError) in
            guard let text = try place.folder.linkTarget(place.name) else { throw FileError(.missing, reason: "") }
            return try StoredLink(text, at: location.path)
        }
    }

    func makeLink(_ link: StoredLink, at location: Location) throws(RuntimeException) {
        try makeLink(saying: link.text(at: location.path), at: location)
    }

    func makeLink(saying text: String, at location: Location) throws(RuntimeException) {
        if try status(location) != nil { throw location.exception(.alreadyExists) }
        let place = try madePlace(location)
        try reserve(StorageLimits.entryCost, at: location)
        do throws(FileError) {
            try advance(place.folder)
            try place.folder.makeLink(place.name, to: text)
            try place.folder.synchronize()
        } catch {
            quota.release(StorageLimits.entryCost)
            throw .file(error, at: location.shown)
        }
    }
}

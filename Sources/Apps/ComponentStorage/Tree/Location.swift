internal import Components
internal import Storage

/// A place in a storage, and what the app that asks calls it. As at the root of any file system, one step up from the root is the root.
struct Location: Hashable, Sendable {
    /// From the storage's root.
    let path: ConfinedPath
    /// What exceptions and events say.
    let shown: String

    /// - Parameter base: the folder that the app sees as its root.
    init(_ shown: String, beneath base: ConfinedPath) throws(RuntimeException) {
        do throws(FileError) {
            path = try base.appending(ConfinedPath(rooted: shown))
        } catch {
            throw .file(error, at: shown)
        }
        self.shown = shown
        if Self.isOfStorage(path) {
            throw .file(FileError(.denied, reason: "the name belongs to the storage itself"), at: shown)
        }
    }

    /// Whether it is of what the storage keeps for itself, which apps cannot name.
    static func isOfStorage(_ path: ConfinedPath) -> Bool {
        path.steps.first == WorkFolder.name || path.steps.contains { isOfStorage($0) }
    }

    /// The same of a name in any folder.
    static func isOfStorage(_ name: String) -> Bool { name == StoredLink.name || name == Archive.name }

    init(path: ConfinedPath, shown: String) {
        self.path = path
        self.shown = shown
    }

    /// Something in this folder.
    func child(_ name: String) throws(RuntimeException) -> Location {
        let inner = try attempt { () throws(FileError) in try path.appending(name) }
        return Location(path: inner, shown: shown.isEmpty || shown.hasSuffix("/") ? shown + name : "\(shown)/\(name)")
    }

    /// Says of what fails that it failed here.
    func attempt<Value>(_ work: () throws(FileError) -> Value) throws(RuntimeException) -> Value {
        do throws(FileError) { return try work() } catch { throw .file(error, at: shown) }
    }

    func exception(_ code: FileError.Code, _ reason: String = "") -> RuntimeException {
        .file(FileError(code, reason: reason), at: shown)
    }
}

/// A path below a folder, as steps downwards. The empty path is the folder itself.
package struct ConfinedPath: Hashable, Sendable, CustomStringConvertible {
    /// Names, none of them empty, `.` or `..`.
    package let steps: [String]

    /// Bytes of a whole path, as POSIX systems limit it.
    package static let byteLimit = 4096
    /// Bytes of one name.
    package static let nameByteLimit = 255
    /// Names of a whole path.
    package static let stepLimit = 256

    /// Normalises a path: a leading slash means the folder, `.` and empty steps fall away, `..` takes a step back.
    ///
    /// Throws `notPermitted` if it leads above the folder, and `ioError` if it is too long or holds a zero byte.
    package init(_ text: String) throws(FileError) { try self.init(text, isRooted: false) }

    /// The same, but what leads above the folder stays in it, as `/..` is `/`.
    package init(rooted text: String) throws(FileError) { try self.init(text, isRooted: true) }

    private init(_ text: String, isRooted: Bool) throws(FileError) {
        guard text.utf8.count <= Self.byteLimit else { throw FileError(.failed, reason: "the path is too long") }
        var steps: [String] = []
        for step in Self.split(text) {
            if step == ".." {
                guard steps.popLast() != nil || isRooted else { throw .outside }
                continue
            }
            guard step.utf8.count <= Self.nameByteLimit else { throw FileError(.failed, reason: "a name is too long") }
            guard !step.utf8.contains(0) else { throw FileError(.failed, reason: "a name holds a zero byte") }
            steps.append(step)
        }
        guard steps.count <= Self.stepLimit else { throw FileError(.failed, reason: "the path has too many steps") }
        self.steps = steps
    }

    /// From names that were checked: none is empty, `.` or `..`, or contains a slash.
    package init(steps: [String]) { self.steps = steps }

    /// The steps of any path, `..` too. Split by bytes, because Swift takes a slash with a combining mark for another
    /// character.
    static func split(_ path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }.filter { $0 != "." }
    }

    /// The steps of an absolute path with `..` resolved; at the top `..` does nothing.
    static func normalisedSteps(_ path: String) -> [String] {
        split(path).reduce(into: []) { steps, step in
            if step == ".." { _ = steps.popLast() } else { steps.append(step) }
        }
    }

    /// The last name; nil for the folder itself.
    package var name: String? { steps.last }

    /// The path of the parent; the empty path for the folder itself.
    package var parent: ConfinedPath { ConfinedPath(steps: Array(steps.dropLast())) }

    /// Without a slash in front.
    package var description: String { steps.joined(separator: "/") }

    /// The folder itself.
    package static let root = ConfinedPath(steps: [])

    /// Joins two paths.
    package func appending(_ other: ConfinedPath) throws(FileError) -> ConfinedPath {
        guard steps.count + other.steps.count <= Self.stepLimit else {
            throw FileError(.failed, reason: "the path has too many steps")
        }
        return ConfinedPath(steps: steps + other.steps)
    }

    /// The path of an entry with this name.
    package func appending(_ name: String) throws(FileError) -> ConfinedPath {
        try appending(ConfinedPath(steps: [name]))
    }

    /// The rest of this path after `other`, which must be this path or above it.
    package func below(_ other: ConfinedPath) -> ConfinedPath {
        ConfinedPath(steps: Array(steps.dropFirst(other.steps.count)))
    }

    /// Whether this is the other path, or is below it.
    package func isWithin(_ other: ConfinedPath) -> Bool { steps.starts(with: other.steps) }
}

internal import Components
internal import Storage
internal import Synchronization

/// What stands behind a `FileByteSink`: a file that is written piece by piece, and has its content when it is done.
///
/// A file that was missing is there at once, and empty; it goes again if the sink is discarded.
///
/// What comes in is written down one after another, and only remembered where it belongs. Whoever writes a file from its start to
/// its end has written it then; otherwise it is put together when it is done.
final class ByteSink: Sendable {
    private struct State {
        var layout: ByteLayout
        /// What was written; nil when the sink is done.
        var written: Draft?
        var writtenSize: Int64 = 0
        var base: FileDescriptor?
    }

    private let tree: Tree
    private let location: Location
    private let opening: Opening
    private let state: Mutex<State>
    /// The file that was made because there was none.
    private let made: FileDescriptor?
    /// Empty ranges of the file as it was.
    private let holes: [Range<Int64>]
    /// The version of the file as it was; 0 where none are kept.
    private let baseVersion: UInt64
    /// Whether the version of the file was promised, so that no other writer may use it meanwhile.
    private let isVersioned: Bool

    /// The version that the file has when it is done, unless somebody else writes it meanwhile.
    var version: UInt64 { baseVersion + 1 }

    /// The largest size of a file: JavaScript counts exactly up to here.
    static let sizeLimit: Int64 = (1 << 53) - 1
    /// Beyond these, the file is put together, and writing goes on from there.
    private static let sectionLimit = 4096

    /// - Parameter isVersioned: whether it fails in the end if somebody else writes the file meanwhile. If not, what was there goes.
    init(
        in tree: Tree, at location: Location, _ flags: WritingFlags, isVersioned: Bool = false, _ opening: Opening
    ) throws(RuntimeException) {
        self.tree = tree
        self.location = location
        self.opening = opening
        self.isVersioned = isVersioned
        let (place, old) = try tree.writingPlace(location, flags)
        if let old {
            baseVersion = StoredVersion(old.attributes).number
            if let current = flags.currentVersion, current != baseVersion {
                throw .versionMismatch(at: location, baseVersion)
            }
            made = nil
        } else {
            let empty = try Draft(in: tree, for: location)
            baseVersion = try empty.commit(to: place, replacing: false, current: flags.currentVersion, at: location)
            made = empty.file
        }
        let base = flags.truncate ? nil : old
        holes = base.map(EmptyRanges.of) ?? []
        let size = try location.attempt { () throws(FileError) in try base?.status().size ?? 0 }
        let draft = try Draft(in: tree, for: location)
        state = Mutex(State(layout: ByteLayout(baseSize: size), written: draft, base: base))
    }

    var layout: ByteLayout { state.withLock { $0.layout } }

    /// What apps see of it: the sections, and the version of the file that they are based on; nil if on none.
    var shown: (base: UInt64?, sections: [ByteLayout.Section]) {
        state.withLock { ($0.base == nil ? nil : baseVersion, $0.layout.shown(holes: holes)) }
    }

    /// Puts bytes in place of `deleted` bytes at a position.
    func splice(at position: UInt64, deleting deleted: UInt64, inserting bytes: [UInt8]) throws(RuntimeException) {
        _ = try tree.checked(Int64(bytes.count), at: location)
        try change { state, written throws(RuntimeException) in
            let position = try checked(position)
            _ = try checked(UInt64(max(position, state.layout.size)) + UInt64(bytes.count))
            try written.reserve(Int64(bytes.count), at: location)
            let end = state.writtenSize
            try location.attempt { () throws(FileError) in try written.file.write(bytes[...], at: end) }
            state.writtenSize += Int64(bytes.count)
            state.layout.splice(
                at: position, deleting: Int64(clamping: deleted), inserting: Int64(bytes.count), from: end)
            guard state.layout.sections.count > Self.sectionLimit else { return }
            let whole = try compose(state, written)
            state = State(layout: ByteLayout(), written: whole, writtenSize: state.layout.size)
            state.layout.splice(at: 0, deleting: 0, inserting: state.writtenSize, from: 0)
        }
    }

    func truncate(to size: UInt64) throws(RuntimeException) {
        try change { state, _ throws(RuntimeException) in state.layout.resize(to: try checked(size)) }
    }

    /// Gives the file its name, or throws away what was written.
    func done(discarding: Bool) throws(RuntimeException) {
        defer { opening.close() }
        let state = state.withLock { state in
            defer { (state.written, state.base) = (nil, nil) }
            return state
        }
        if discarding { return removeMade() }
        guard let written = state.written else { throw isDone }
        let whole = try isWhole(state) ? written : compose(state, written)
        if whole === written, state.layout.size < state.writtenSize {
            try location.attempt { () throws(FileError) in try written.file.truncate(to: state.layout.size) }
        }
        if tree.keepsVersions {
            let empty = state.layout.shown(holes: holes).filter { $0.source == .empty }
            EmptyRanges.keep(empty.map { $0.offset..<($0.offset + $0.length) }, of: whole.file)
        }
        let place = try tree.writingPlace(location, WritingFlags()).place
        try whole.commit(
            to: place, replacing: true, current: isVersioned ? baseVersion : nil, at: location)
    }

    /// Takes the empty file away again, unless somebody wrote it meanwhile.
    private func removeMade() {
        guard let made = try? made?.status(), made.size == 0, let there = try? tree.status(location),
            there.inode == made.inode
        else { return }
        try? tree.deleteFile(location)
    }

    /// Whether what was written is the file, but for something behind its end.
    private func isWhole(_ state: State) -> Bool {
        let sections = state.layout.sections
        return sections.isEmpty || (sections.count == 1 && sections[0].source == .new && sections[0].offset == 0)
    }

    private func compose(_ state: State, _ written: Draft) throws(RuntimeException) -> Draft {
        let whole = try Draft(in: tree, for: location)
        try whole.reserve(state.layout.size, at: location)
        var position: Int64 = 0
        for section in state.layout.sections {
            let source: FileDescriptor? =
                switch section.source {
                case .base: state.base
                case .new: written.file
                case .empty: nil
                }
            if let source {
                let copied = try whole.file.take(
                    from: source, at: section.offset, count: section.length, to: position, at: location,
                    while: tree.checkOpen)
                guard copied == section.length else {
                    throw location.exception(.failed, "the file became shorter while it was written")
                }
            }
            position += section.length
        }
        try location.attempt { () throws(FileError) in try whole.file.truncate(to: position) }
        return whole
    }

    private func change(
        _ body: (inout State, Draft) throws(RuntimeException) -> Void
    ) throws(RuntimeException) {
        try state.withLock { state throws(RuntimeException) in
            guard let written = state.written else { throw isDone }
            try body(&state, written)
        }
    }

    private var isDone: RuntimeException { location.exception(.failed, "the byte sink is done") }

    private func checked(_ size: UInt64) throws(RuntimeException) -> Int64 {
        guard size <= UInt64(Self.sizeLimit) else { throw .badArguments("no file is that long", at: location.shown) }
        return Int64(size)
    }
}

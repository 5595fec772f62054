#if os(Linux)
internal import Platform
internal import Synchronization
#endif

extension ChangeNotifications {
    enum Event: Equatable, Sendable {
        /// A file appeared, changed or went.
        case changed(String)
        case folderCame(String, in: String)
        case folderWent(String)
        /// The kernel dropped notifications, so all folders have to be scanned.
        case lost
    }
}

#if os(Linux)
/// inotify (Linux): one watch a folder.
final class ChangeNotifications: Sendable {
    let descriptor: Int32
    private let paths = Mutex<[Int32: String]>([:])

    /// nil if the system has no instance left.
    init?() {
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        if descriptor < 0 { return nil }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// File systems that another machine or process may change without this kernel: NFS, SMB (three numbers), FUSE, 9P,
    /// AFS, Ceph, and shared folders of VirtualBox.
    private static let silent: Set<UInt32> = [
        0x6969, 0x517b, 0xff53_4d42, 0xfe53_4d42, 0x6573_5546, 0x0102_1997, 0x5346_414f, 0x00c3_6400, 0x786f_4256,
    ]

    /// Whether changes there are notified, as far as one can know.
    static func work(in path: String) -> Bool {
        var status = statfs()
        guard statfs(path, &status) == 0 else { return true }
        return !silent.contains(UInt32(truncatingIfNeeded: status.f_type))
    }

    private static let mask: UInt32 =
        UInt32(IN_CREATE) | UInt32(IN_MODIFY) | UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO)
        | UInt32(IN_DELETE) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_ONLYDIR)
        | UInt32(IN_EXCL_UNLINK)

    /// Asks for notifications of a folder, which may be watched already. False if the system has no watch left.
    func add(_ path: String) -> Bool {
        let watch = inotify_add_watch(descriptor, path, Self.mask)
        guard watch >= 0 else { return false }
        paths.withLock { $0[watch] = path }
        return true
    }

    /// Stops watching a folder and those in it. They may have been moved, and would be reported under their old names.
    func remove(below path: String) {
        paths.withLock { paths in
            for (watch, watched) in paths where watched == path || watched.hasPrefix(path + "/") {
                inotify_rm_watch(descriptor, watch)
                paths[watch] = nil
            }
        }
    }

    /// The notifications so far, or the first of them. Does not wait.
    func arrived() -> [Event] {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var events: [Event] = []
        for _ in 0..<64 {
            let count = read(descriptor, &buffer, buffer.count)
            if count <= 0 { break }
            events += buffer.withUnsafeBytes { parse(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
        return events
    }

    private func parse(_ buffer: UnsafeRawBufferPointer) -> [Event] {
        let headLength = 16
        var events: [Event] = []
        var rest = buffer[...]
        while rest.count >= headLength {
            let head = UnsafeRawBufferPointer(rebasing: rest)
            let watch = head.loadUnaligned(as: Int32.self)
            let mask = head.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
            let length = Int(head.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
            guard rest.count >= headLength + length else { break }
            let name = String(decoding: head[headLength..<headLength + length].prefix { $0 != 0 }, as: UTF8.self)
            if let event = event(watch, mask, name) { events.append(event) }
            rest = rest.dropFirst(headLength + length)
        }
        return events
    }

    func event(_ watch: Int32, _ mask: UInt32, _ name: String) -> Event? {
        if mask & UInt32(IN_Q_OVERFLOW) != 0 { return .lost }
        guard let folder = paths.withLock({ $0[watch] }) else { return nil }
        if mask & UInt32(IN_IGNORED) != 0 {
            paths.withLock { $0[watch] = nil }
            return nil
        }
        if mask & (UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_UNMOUNT)) != 0 {
            return .folderWent(folder)
        }
        if name.isEmpty || name.hasPrefix(".") { return nil }
        let path = "\(folder)/\(name)"
        guard mask & UInt32(IN_ISDIR) != 0 else { return .changed(path) }
        let came = UInt32(IN_CREATE) | UInt32(IN_MOVED_TO)
        return mask & came != 0 ? .folderCame(path, in: folder) : .folderWent(path)
    }
}
#else
/// This system has none, so folders are scanned. On Apple's systems FSEvents could be used.
final class ChangeNotifications: Sendable {
    let descriptor: Int32 = -1

    init?() { return nil }

    static func work(in path: String) -> Bool { false }
    func add(_ path: String) -> Bool { false }
    func remove(below path: String) {}
    func arrived() -> [Event] { [] }
}
#endif

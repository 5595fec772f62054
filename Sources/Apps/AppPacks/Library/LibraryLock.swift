internal import Platform
internal import Storage

/// The right to change a library, which one holds at a time: of all processes, and of all threads. Its end ends it, and so does
/// the end of the process.
struct LibraryLock: ~Copyable {
    private let file: FileDescriptor

    /// - Parameter patience: how long is waited for another one. Copying a large pack takes its time.
    /// - Returns: nil if it was too long.
    static func take(_ path: String, patience: Duration) throws(FileError) -> LibraryLock? {
        let end = ContinuousClock.now + patience
        let file = try Folder(path).openForLocking("lock")
        while try !file.lock() {
            guard ContinuousClock.now < end else { return nil }
            usleep(10_000)
        }
        return LibraryLock(file: file)
    }
}

extension AppLibrary {
    private static let patience: Duration = .seconds(120)

    /// Runs `body` while nobody else changes the library.
    func changing<Value>(
        _ body: (borrowing LibraryLock) throws(AppPackError) -> Value
    ) throws(AppPackError) -> Value {
        guard let lock = try reporting(try LibraryLock.take(path, patience: Self.patience)) else {
            throw AppPackError(.busy, "another process is changing the apps in \(path); try again when it is done")
        }
        try migrate(holding: lock)
        return try body(lock)
    }
}

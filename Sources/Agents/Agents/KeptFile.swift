internal import Foundation
internal import Storage

/// What a ``KeptFile`` holds.
protocol KeptContent: Codable, Sendable {
    /// Nothing yet.
    init()
    /// Of the format. One that is not known here is not understood.
    var version: Int { get }
}

/// A small file of a profile that several programs read and change: readable for its owner only, and replaced as a whole under a lock.
struct KeptFile<Content: KeptContent>: Sendable {
    /// Made if it is missing, with what it lies in already there.
    let folder: String
    let name: String
    /// What a person does when it is damaged.
    let remedy: String

    private static var byteLimit: Int { 1 << 20 }

    /// - Throws: `FileError` if the file is there and cannot be read.
    func read() throws(FileError) -> Content {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try Folder(folder).read(name, atMost: Self.byteLimit)
        } catch {
            guard error.code != .missing else { return Content() }
            throw error
        }
        guard let content = try? JSONDecoder().decode(Content.self, from: Data(bytes)), content.version == 1 else {
            throw FileError(.failed, "\(folder)/\(name) is damaged; \(remedy)", reason: "it cannot be read")
        }
        return content
    }

    /// Tells one content from the next without reading it; nil if there is none, or it cannot be looked at.
    var edition: FileEdition? { (try? Folder(folder).status(of: name)).map(FileEdition.init) }

    /// - Parameter body: returns whether something is to be written.
    /// - Returns: the same.
    @discardableResult
    func change(_ body: (inout Content) -> Bool) throws(FileError) -> Bool {
        let lock = try FolderLock(folder)
        defer { withExtendedLifetime(lock) {} }
        var content = try read()
        guard body(&content) else { return false }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let bytes = (try? encoder.encode(content)).map(Array.init) ?? []
        try AtomicFile.write(bytes, to: "\(self.folder)/\(name)")
        return true
    }
}

/// Which content of a ``KeptFile`` there is: each one is a file of its own.
struct FileEdition: Sendable, Hashable {
    private let inode: UInt64
    private let size: Int64
    private let modified: FileStatus.Time

    init(_ status: FileStatus) { (inode, size, modified) = (status.inode, status.size, status.modified) }
}

/// A folder of small files, which this process alone changes as long as it holds this.
struct FolderLock {
    private let file: FileDescriptor

    /// - Parameter path: made if it is missing, with what it lies in already there.
    init(_ path: String) throws(FileError) {
        file = try Folder.making(path).openForLocking("lock")
        // Others hold it for a moment, and the kernel lets go of it for those who are killed.
        let end = ContinuousClock.now + .seconds(10)
        while try !file.lock() {
            guard .now < end else {
                throw FileError(.failed, "another program is changing \(path)", reason: "it is locked")
            }
            Thread.sleep(forTimeInterval: 0.01)
        }
    }
}

import Storage
import Testing

@Suite("Atomic files")
struct AtomicFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("A file is replaced as a whole and only its owner may read it", arguments: [0, 1, 100_000])
    func replace(count: Int) throws {
        let path = folder.path(of: "file")
        try AtomicFile.write([1, 2, 3], to: path)
        let bytes = [UInt8](repeating: 7, count: count)
        try AtomicFile.write(bytes, to: path)
        #expect(try AtomicFile.read(path, atMost: count) == bytes)
        #expect(try folder.permissions(of: "file") == 0o600)
        #expect(try folder.contents() == ["file"])
    }

    @Test("Failures have a code, and leave nothing behind")
    func failures() throws {
        let missing = #expect(throws: FileError.self) { try AtomicFile.read(folder.path(of: "none"), atMost: 10) }
        #expect(missing?.code == .missing)
        try AtomicFile.write([1, 2, 3], to: folder.path(of: "file"))
        let long = #expect(throws: FileError.self) { try AtomicFile.read(folder.path(of: "file"), atMost: 2) }
        #expect(long?.code == .tooLong)
        let nowhere = #expect(throws: FileError.self) { try AtomicFile.write([1], to: folder.path(of: "no/file")) }
        #expect(nowhere?.code == .missing)
        // A folder cannot be replaced by a file.
        #expect(throws: FileError.self) { try AtomicFile.write([1], to: folder.path) }
        #expect(try folder.contents() == ["file"])
    }

    @Test("Removing a missing file succeeds")
    func remove() throws {
        try AtomicFile.write([1], to: folder.path(of: "file"))
        try AtomicFile.remove(folder.path(of: "file"))
        try AtomicFile.remove(folder.path(of: "file"))
        #expect(try folder.contents().isEmpty)
    }
}

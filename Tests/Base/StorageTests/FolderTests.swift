import Foundation
import Testing

@testable import Storage

@Suite("Folders")
struct FolderTests {
    private let place: TemporaryFolder

    init() throws { place = try TemporaryFolder() }

    @Test(
        "A name is one step, and not upwards",
        arguments: ["", ".", "..", "a/b", "/a", "a\0b", String(repeating: "a", count: 256)])
    func steps(name: String) throws {
        let folder = try Folder(place.path)
        #expect(throws: FileError.self) { try folder.read(name, atMost: 1) }
        #expect(throws: FileError.self) { try folder.write([], to: name) }
        #expect(throws: FileError.self) { try folder.remove(name) }
        #expect(throws: FileError.self) { _ = try folder.status(of: name) }
        #expect(try place.contents().isEmpty)
    }

    @Test("A file is replaced as a whole, and what failed leaves nothing behind")
    func replacing() throws {
        let folder = try Folder(place.path)
        try folder.write([1], to: "a")
        try folder.write([2, 3], to: "a")
        #expect(try folder.read("a", atMost: 2) == [2, 3])
        #expect(throws: FileError.self) { try folder.read("a", atMost: 1) }
        _ = try folder.folder(making: "full")
        #expect(throws: FileError.self) { try folder.write([1], to: "full") }
        #expect(try place.contents() == ["a", "full"])
    }

    @Test("Neither files nor folders are reached through links; the folder itself may be")
    func links() throws {
        let folder = try Folder(place.path)
        _ = try folder.folder(making: "real").create("file")
        try FileManager.default.createSymbolicLink(
            atPath: place.path(of: "link"), withDestinationPath: place.path(of: "real"))
        try FileManager.default.createSymbolicLink(
            atPath: place.path(of: "fileLink"), withDestinationPath: place.path(of: "real/file"))
        let error = #expect(throws: FileError.self) { try folder.read("fileLink", atMost: 1) }
        #expect(error?.message.contains("symbolic link") == true)
        #expect(throws: FileError.self) { _ = try folder.openAppending("fileLink") }
        #expect(throws: FileError.self) { _ = try folder.folder("link") }
        #expect(throws: FileError.self) { _ = try folder.folder(making: "link") }
        #expect(try folder.status(of: "link")?.kind == .symbolicLink)
        #expect(try Folder(place.path(of: "link")).names(atMost: 10) == ["file"])
    }

    @Test("More names than allowed are refused")
    func limit() throws {
        let folder = try Folder(place.path)
        for name in ["a", "b", "c"] { try folder.write([], to: name) }
        #expect(try folder.names(atMost: 3).sorted() == ["a", "b", "c"])
        let error = #expect(throws: FileError.self) { try folder.names(atMost: 2) }
        #expect(error?.code == .tooLong)
    }

    @Test("A folder is removed with its content, but not the targets of its links")
    func removing() throws {
        let folder = try Folder(place.path)
        try folder.write([1], to: "kept")
        let inner = try folder.folder(making: "gone").folder(making: "deep")
        try inner.write([1], to: "file")
        try FileManager.default.createSymbolicLink(atPath: place.path(of: "gone/link"), withDestinationPath: place.path)
        #expect(throws: FileError.self) { try folder.removeFolder("gone", depth: 1) }
        try folder.removeFolder("gone")
        try folder.removeFolder("gone")
        #expect(try place.contents() == ["kept"])
    }
}

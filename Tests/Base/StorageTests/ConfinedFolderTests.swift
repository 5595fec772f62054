import Foundation
import Synchronization
import Testing

@testable import Storage

@Suite("Confined folders")
struct ConfinedFolderTests {
    private let place: TemporaryFolder
    private let folder: ConfinedFolder

    init() throws {
        place = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: place.path(of: "root"), withIntermediateDirectories: true)
        try Data("secret".utf8).write(to: URL(fileURLWithPath: place.path(of: "outside")))
        folder = try ConfinedFolder(place.path(of: "root"))
    }

    private func path(_ text: String) throws -> ConfinedPath { try ConfinedPath(text) }

    private func write(_ text: String, to name: String) throws {
        try folder.open(path(name), .creating).write(Array(text.utf8)[...], at: 0)
    }

    private func read(_ name: String) throws -> String {
        String(decoding: try folder.open(path(name), .reading).readAll(atMost: 1000), as: UTF8.self)
    }

    @Test(
        "Paths are normalised, whatever they look like",
        arguments: [
            ("", ""), ("/", ""), ("a/./b//c/", "a/b/c"), ("/a/../b", "b"), ("a/..", ""), ("...", "..."),
            (". ./ ..", ". ./ .."),
            ("a/\u{301}b", "a/\u{301}b"),
        ])
    func normalising(text: String, expected: String) throws { #expect(try path(text).description == expected) }

    @Test("Slashes are found by bytes") func slashes() throws { #expect(try path("a/\u{301}b").steps.count == 2) }

    @Test(
        "Paths that lead out, are too long or contain a zero byte are refused",
        arguments: [
            "..", "/..", "a/../..", "a/b/../../../c", "a\0b", String(repeating: "n", count: 256),
            String(repeating: "a/", count: 300), String(repeating: "a/", count: 3000),
        ])
    func badPaths(text: String) { #expect(throws: FileError.self) { try ConfinedPath(text) } }

    @Test("Files are made, read, changed, renamed and removed")
    func life() throws {
        try folder.makeFolders(path("a/b/c"))
        try write("hello", to: "a/b/c/file")
        #expect(try read("/a/b/./c/../c/file") == "hello")
        let status = try folder.status(path("a/b/c/file"))
        #expect(status.kind == .file && status.size == 5 && status.blocks >= 0 && status.blockSize > 0)
        #expect(abs(status.born.seconds - Int64(Date().timeIntervalSince1970)) < 100)
        try folder.rename(path("a/b/c/file"), to: path("moved"))
        #expect(throws: FileError.self) { try folder.rename(path("a"), to: path("moved"), isExclusive: true) }
        #expect(try folder.entries(path(""), atMost: 9).map(\.name).sorted() == ["a", "moved"])
        try folder.removeFile(path("moved"))
        try folder.removeTree(path("a"))
        #expect(try folder.entries(path(""), atMost: 9).isEmpty)
    }

    @Test("Files at an offset, appended to, cut and copied")
    func contents() throws {
        let file = try folder.open(path("f"), .new)
        try file.write([1, 2, 3], at: 2)
        #expect(try file.read(at: 0, atMost: 10) == [0, 0, 1, 2, 3])
        #expect(try file.read(at: 1, atMost: 2, after: [7, 7, 7]) == [7, 7, 7, 0, 1])
        try file.truncate(to: 3)
        var appending = ConfinedFolder.Opening(reads: false, writes: true)
        appending.appends = true
        let end = try folder.open(path("f"), appending)
        try end.write([8])
        try end.write([9])
        try end.synchronize()
        #expect(try file.readAll(atMost: 5) == [0, 0, 1, 8, 9])
        #expect(throws: FileError.self) { try file.readAll(atMost: 4) }
        try folder.copyFile(from: path("f"), to: path("g"), overwriting: false)
        try folder.copyFile(from: path("g"), to: path("f"), overwriting: true)
        #expect(throws: FileError.self) { try folder.copyFile(from: path("f"), to: path("g"), overwriting: false) }
        #expect(try folder.open(path("g"), .reading).readAll(atMost: 5) == [0, 0, 1, 8, 9])
        #expect(try file.read(at: .max, atMost: 1).isEmpty)
    }

    @Test("Links that stay inside are followed: relative ones, absolute ones, links to links")
    func innerLinks() throws {
        try folder.makeFolders(path("a/b"))
        try write("x", to: "a/b/f")
        try folder.makeLink(path("a/up"), target: "../a/./b")
        try folder.makeLink(path("absolute"), target: folder.path + "/a/up/f")
        try folder.makeLink(path("top"), target: folder.path)
        try folder.makeLink(path("new"), target: "a/made")
        #expect(try read("a/up/f") == "x")
        #expect(try read("top/absolute") == "x")
        #expect(try folder.status(path("absolute")).kind == .file)
        #expect(try folder.status(path("absolute"), followingLinks: false).kind == .symbolicLink)
        #expect(try folder.linkTarget(path("new")) == "a/made")
        try write("made", to: "new")
        #expect(try read("a/made") == "made")
        try folder.removeFile(path("absolute"))
        #expect(try read("a/b/f") == "x")
    }

    @Test(
        "No operation follows links that lead outside",
        arguments: [
            "../outside", "../../../../../../../etc/passwd", "/etc/passwd", "sub/../../outside", "../root2/f", "/",
        ])
    func outerLinks(target: String) throws {
        try folder.makeFolders(path("sub"))
        try folder.makeLink(path("link"), target: target)
        try write("1", to: "file")
        for attempt in ["link", "link/f"] {
            #expect(throws: FileError.self) { try folder.open(path(attempt), .reading) }
            #expect(throws: FileError.self) { try folder.open(path(attempt), .creating) }
            #expect(throws: FileError.self) { try folder.status(path(attempt)) }
            #expect(throws: FileError.self) { try folder.entries(path(attempt), atMost: 1000) }
            #expect(throws: FileError.self) { try folder.makeFolder(path(attempt)) }
            #expect(throws: FileError.self) { try folder.folder(path(attempt)) }
            #expect(throws: FileError.self) {
                try folder.copyFile(from: path(attempt), to: path("c"), overwriting: true)
            }
            #expect(throws: FileError.self) {
                try folder.copyFile(from: path("file"), to: path(attempt), overwriting: true)
            }
            #expect(throws: FileError.self) { try folder.removeTree(path(attempt)) }
        }
        #expect(throws: FileError.self) { try folder.rename(path("file"), to: path("link/f")) }
        #expect(throws: FileError.self) { try folder.removeFile(path("link/f")) }
        #expect(throws: FileError.self) { try folder.makeLink(path("link/f"), target: "x") }
        #expect(try folder.linkTarget(path("link")) == target)
        try folder.makeFolder(path("tree"))
        try folder.rename(path("link"), to: path("tree/link"))
        try folder.removeTree(path("tree"))
        #expect(try String(contentsOfFile: place.path(of: "outside"), encoding: .utf8) == "secret")
    }

    @Test("A link to itself ends")
    func loops() throws {
        try folder.makeLink(path("a"), target: "b")
        try folder.makeLink(path("b"), target: "a")
        let error = #expect(throws: FileError.self) { try folder.status(path("a/x")) }
        #expect(error?.code == .failed)
    }

    @Test("A folder inside is a root of its own")
    func inner() throws {
        try folder.makeFolders(path("a/b"))
        try write("x", to: "f")
        try folder.makeLink(path("a/b/up"), target: "../../f")
        let inner = try folder.folder(path("a/b"))
        #expect(inner.path == folder.path + "/a/b")
        let error = #expect(throws: FileError.self) { try inner.open(path("up"), .reading) }
        #expect(error?.code == .denied)
    }

    @Test("The folder itself can be neither removed, renamed nor replaced")
    func root() throws {
        for attempt in ["", "/", "a/.."] {
            #expect(throws: FileError.self) { try folder.removeTree(path(attempt)) }
            #expect(throws: FileError.self) { try folder.removeFolder(path(attempt)) }
            #expect(throws: FileError.self) { try folder.removeFile(path(attempt)) }
            #expect(throws: FileError.self) { try folder.rename(path(attempt), to: path("x")) }
        }
        #expect(try folder.status(path("")).kind == .folder)
    }

    @Test("A pipe is refused without waiting for a writer")
    func pipes() throws {
        #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
        let error = #expect(throws: FileError.self) { try folder.open(path("pipe"), .reading) }
        #expect(error?.code == .notFile)
        #expect(throws: FileError.self) { try folder.open(path("pipe"), .creating) }
    }

    @Test("A tree of any depth is removed")
    func deepTree() throws {
        var names = Array(repeating: "d", count: 200)
        try folder.makeFolders(path(names.joined(separator: "/")))
        try folder.makeFolders(path("other/" + names.joined(separator: "/")))
        names.removeLast()
        try folder.rename(path("other"), to: path((names + ["x"]).joined(separator: "/")))
        try folder.removeTree(path("d"))
        #expect(try folder.entries(path(""), atMost: 9).isEmpty)
    }

    @Test("Swapping a folder for a link meanwhile never leads outside")
    func races() throws {
        try folder.makeFolders(path("a/b"))
        try FileManager.default.createDirectory(atPath: place.path(of: "b"), withIntermediateDirectories: true)
        try Data("secret".utf8).write(to: URL(fileURLWithPath: place.path(of: "b/f")))
        try write("inside", to: "a/b/f")
        try folder.makeLink(path("a/link"), target: "../../b")
        let swapper = Swapper(folder.path + "/a/b", folder.path + "/a/link")
        defer { swapper.stop() }
        var seen: Set<String> = []
        for _ in 0..<20_000 {
            if let file = try? folder.open(path("a/b/f"), .updating) {
                seen.insert(String(decoding: try file.readAll(atMost: 100), as: UTF8.self))
            }
            if let file = try? folder.open(path("a/link/new"), .creating) { try file.write([1], at: 0) }
            _ = try? folder.removeFile(path("a/b/new"))
        }
        #expect(seen.isSubset(of: ["inside"]))
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path(of: "b")) == ["f"])
    }
}

/// Swaps two names as fast as it can, on its own thread.
private final class Swapper: Sendable {
    private let isGoing = Mutex(true)
    private let ended = DispatchSemaphore(value: 0)

    init(_ first: String, _ second: String) {
        Thread { [self] in
            while isGoing.withLock({ $0 }) {
                rename(first, first + ".aside")
                rename(second, first)
                rename(first + ".aside", second)
            }
            ended.signal()
        }.start()
    }

    func stop() {
        isGoing.withLock { $0 = false }
        ended.wait()
    }
}

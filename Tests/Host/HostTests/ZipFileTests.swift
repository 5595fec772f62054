import Foundation
import Peers
import Testing

@testable import Host

/// ZIP files that a person gives.
@Suite struct ZipFileTests {
    /// A folder that is gone after the test.
    private static func folder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "zip-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    private static func files(below folder: URL) throws -> [String: String] {
        var found: [String: String] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            found[name] = try? String(contentsOf: folder.appending(path: name), encoding: .utf8)
        }
        return found
    }

    @Test func `what is packed is unpacked`() throws {
        try Self.folder { place in
            let given = place.appending(path: "given/Häuser/ü")
            try FileManager.default.createDirectory(at: given, withIntermediateDirectories: true)
            try Data("one".utf8).write(to: given.appending(path: "Ñandú 🐦.md"))
            try Data().write(to: place.appending(path: "given/empty.md"))
            let packed = place.appending(path: "packed").path
            try ZipFile.pack(place.appending(path: "given"), into: packed)
            #expect(ZipFile.isOne(packed))
            let unpacked = place.appending(path: "unpacked")
            #expect(try ZipFile.unpack(packed, into: unpacked) == 0)
            #expect(try Self.files(below: unpacked) == ["Häuser/ü/Ñandú 🐦.md": "one", "empty.md": ""])
        }
    }

    /// Written by another program, with what no honest one would write.
    @Test func `nothing leaves the folder, and what cannot be taken is counted`() throws {
        let script = """
            import stat, sys, zipfile
            with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr("fine.md", "fine")
                for name in ["../out.md", "/abs.md", "a/../../out.md", "a//b.md", "a\\\\b.md", "x" * 300 + ".md", "fine.md",
                             "fine.md/below.md"]:
                    archive.writestr(name, "bad")
                link = zipfile.ZipInfo("link.md")
                link.external_attr = (stat.S_IFLNK | 0o777) << 16
                archive.writestr(link, "/etc/passwd")
                archive.writestr("long.md", "x" * 2000)
                archive.writestr(".git/config", "hidden")
                archive.writestr("__MACOSX/._fine.md", "hidden")
            """
        try Self.folder { place in
            let packed = place.appending(path: "packed").path
            let python = Process()
            python.executableURL = URL(filePath: try Programs.python().path)
            python.arguments = ["-W", "ignore", "-c", script, packed]
            try python.run()
            python.waitUntilExit()
            let unpacked = place.appending(path: "in/unpacked")
            let limits = ZipFile.Limits(files: 100, bytes: 5000, fileBytes: 1000)
            #expect(try ZipFile.unpack(packed, into: unpacked, limits: limits) == 10)
            #expect(try Self.files(below: place.appending(path: "in")) == ["unpacked/fine.md": "fine"])
            for limits in [ZipFile.Limits(files: 3), ZipFile.Limits(bytes: 1000)] {
                #expect(throws: ZipFile.Problem.self) {
                    try ZipFile.unpack(packed, into: place.appending(path: UUID().uuidString), limits: limits)
                }
            }
        }
    }

    @Test func `what is none, or not whole, is refused`() throws {
        try Self.folder { place in
            let file = place.appending(path: "file")
            for bytes in [Data(), Data("PK".utf8), Data("# Note".utf8)] {
                try bytes.write(to: file)
                #expect(!ZipFile.isOne(file.path))
            }
            try Data("PK\u{3}\u{4} and then nothing".utf8).write(to: file)
            #expect(ZipFile.isOne(file.path))
            #expect(throws: ZipFile.Problem.self) { try ZipFile.unpack(file.path, into: place.appending(path: "a")) }
        }
    }
}

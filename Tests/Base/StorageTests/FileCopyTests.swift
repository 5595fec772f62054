import Foundation
import ProgramRunner
import Testing

@testable import Storage

@Suite struct FileCopyTests {
    private let folder: TemporaryFolder
    private let source: String
    private static let content = [UInt8]((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    init() throws {
        folder = try TemporaryFolder()
        source = folder.path(of: "film.tar.gz")
        try AtomicFile.write(Self.content, to: source)
        try FileManager.default.createDirectory(atPath: folder.path(of: "there"), withIntermediateDirectories: false)
    }

    private func copies() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "there")).sorted()
    }

    @Test(arguments: [
        ("there", "there/film.tar.gz"), ("there/", "there/film.tar.gz"), ("there/plan", "there/plan"),
        ("there/../there/x y", "there/x y"),
    ]) func theCopyIsWhereItShouldBe(target: String, place: String) throws {
        let path = try FileCopy(of: source, to: folder.path(of: target)).run()
        #expect(try AtomicFile.read(folder.path(of: place), atMost: 1 << 20) == Self.content)
        #expect(URL(fileURLWithPath: path).standardizedFileURL.path == folder.path(of: place))
        #expect(try copies().count == 1, "nothing else is left")
        #expect(try folder.permissions(of: place) == 0o600)
    }

    @Test(arguments: [
        ("film.tar.gz", "film.tar (2).gz"), ("plan", "plan (2)"), (".hidden", ".hidden (2)"),
        (String(repeating: "é", count: 127), String(repeating: "é", count: 125) + " (2)"),
    ]) func nothingIsOverwritten(name: String, next: String) throws {
        #expect(FileManager.default.createFile(atPath: folder.path(of: "there/" + name), contents: Data([1])))
        let copy = FileCopy(of: source, to: folder.path(of: "there/" + name))
        #expect(try copy.run() == folder.path(of: "there/" + next))
        #expect(try AtomicFile.read(folder.path(of: "there/" + name), atMost: 10) == [1])
        #expect(try copy.run().hasSuffix(next.replacingOccurrences(of: "(2)", with: "(3)")))
    }

    @Test func aLinkInTheWayIsNotFollowed() throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.path(of: "there/plan"), withDestinationPath: folder.path(of: "elsewhere"))
        #expect(try FileCopy(of: source, to: folder.path(of: "there/plan")).run().hasSuffix("/plan (2)"))
        #expect(!FileManager.default.fileExists(atPath: folder.path(of: "elsewhere")))
    }

    @Test func aFolderMayBeALink() throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.path(of: "link"), withDestinationPath: folder.path(of: "there"))
        _ = try FileCopy(of: source, to: folder.path(of: "link")).run()
        #expect(try copies() == ["film.tar.gz"])
    }

    @Test func whatIsMissingIsTold() throws {
        for source in [folder.path(of: "gone"), folder.path(of: "there")] {
            #expect { try FileCopy(of: source, to: folder.path(of: "there/x")).run() } throws: { error in
                if case FileCopy.Problem.source = error { true } else { false }
            }
        }
        for target in ["nowhere/", "nowhere/x", "film.tar.gz/x"] {
            #expect { try FileCopy(of: source, to: folder.path(of: target)).run() } throws: { error in
                if case FileCopy.Problem.target = error { true } else { false }
            }
        }
        #expect(try copies().isEmpty)
    }

    @Test func oneThatIsCancelledLeavesNothing() throws {
        let copy = FileCopy(of: source, to: folder.path(of: "there"))
        copy.cancel()
        #expect { try copy.run() } throws: { error in
            if case FileCopy.Problem.cancelled = error { true } else { false }
        }
        #expect(try copies().isEmpty)
    }

    @Test(.enabled(if: SmallDisk.isAvailable)) func aFullDiskIsToldAndLeavesNothing() throws {
        let place = URL(fileURLWithPath: NSTemporaryDirectory()).appending(path: "alcove-copy-\(UUID().uuidString)")
        try SmallDisk.at(place, kilobytes: 100) { (_: SmallDisk) throws -> Void in
            #expect { try FileCopy(of: source, to: place.path).run() } throws: { error in
                if case FileCopy.Problem.target(let error) = error { error.code == .full } else { false }
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: place.path)
            #expect(left.filter { $0 != "lost+found" }.isEmpty)
        }
    }
}

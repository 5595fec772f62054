import AppPacks
import Components
import Foundation
import Platform
import Testing

/// Packs in folders, and what is wrong with some; and files of an app that somebody else changed.
@Suite struct FolderPackTests {
    @Test(arguments: ["/etc", "main.mjs", "nothing", ".."]) func linksAreRefused(target: String) throws {
        try LibraryFixture.use { fixture in
            let path = try fixture.app()
            try FileManager.default.createSymbolicLink(atPath: path + "/link", withDestinationPath: target)
            #expect(refusal { try fixture.install(path) }?.code == .refused)
        }
    }

    @Test func pipesAreRefusedAndNotWaitedFor() throws {
        try LibraryFixture.use { fixture in
            let path = try fixture.app()
            #expect(mkfifo(path + "/pipe", 0o600) == 0)
            #expect(refusal { try fixture.install(path) }?.code == .refused)
            #expect(refusal { _ = try fixture.library.inspect(path + "/pipe") }?.code == .notAPack)
        }
    }

    @Test func whatIsNoPackIsRefused() throws {
        try LibraryFixture.use { fixture in
            let path = try fixture.app()
            #expect(refusal { _ = try fixture.library.inspect(path + "/missing") }?.code == .noSuchFile)
            #expect(refusal { _ = try fixture.library.inspect(path + "/main.mjs") }?.code == .notAPack)
            #expect(refusal { _ = try fixture.library.inspect(fixture.folder.path) }?.code == .notAPack)
            try FileManager.default.removeItem(atPath: path + "/main.mjs")
            let error = refusal { _ = try fixture.library.inspect(path) }
            #expect(error?.code == .notAPack && error?.message.contains("/main.mjs") == true)
            try "{\n\n".write(toFile: path + "/manifest.json", atomically: false, encoding: .utf8)
            let broken = refusal { _ = try fixture.library.inspect(path) }
            #expect(broken?.code == .manifest && broken?.message.contains("line 3") == true)
        }
    }

    @Test func filesThatTheManifestNamesAndThatAreNotThereAreNoted() throws {
        try LibraryFixture.use { fixture in
            let path = try fixture.app()
            let manifest = """
                {"appDomain": "feeds.example.org", "version": "1.0.0", "name": "Feeds", "icon": "app.png",
                 "components": {"/main.mjs": {"runtime": "deno", "icon": "/main.mjs", "capsRequested": {}}},
                 "launchers": [{"component": "/main.mjs", "icon": "/app.png"}],
                 "exposedFSResources": {"list": {"allow": {"otherApps": "*"}, "appStorage": "local", "path": "/list",
                                                 "itemType": "file", "initValueSrc": "/list.json"}}}
                """
            try manifest.write(toFile: path + "/manifest.json", atomically: false, encoding: .utf8)
            let notes = try fixture.library.inspect(path).notes
            #expect(notes == ["/app.png", "/list.json"].map { "there is no file \($0), which the manifest names" })
            for name in ["app.png", "list.json"] {
                try "1".write(toFile: "\(path)/\(name)", atomically: false, encoding: .utf8)
            }
            #expect(try fixture.library.inspect(path).notes.isEmpty)
        }
    }

    @Test func tooDeepOrTooMuchIsRefused() throws {
        var limits = PackLimits()
        limits.entries = 40
        limits.file = 1000
        try LibraryFixture.use(limits: limits) { fixture in
            let path = try fixture.app()
            let deep = path + String(repeating: "/d", count: 17)
            try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: true)
            #expect(refusal { try fixture.install(path) }?.code == .refused)
            try FileManager.default.removeItem(atPath: path + "/d")
            for number in 0..<39 { try "x".write(toFile: "\(path)/\(number)", atomically: false, encoding: .utf8) }
            #expect(refusal { try fixture.install(path) }?.code == .refused)
            try FileManager.default.removeItem(atPath: path + "/0")
            try fixture.install(path)
            #expect(truncate(path + "/1", 1 << 40) == 0)
            #expect(refusal { try fixture.install(path) }?.code == .refused)
        }
    }

    @Test(arguments: ["/link", "/folder/passwd", "/main.mjs/x", "/folder", "/missing"])
    func noPathLeadsOutOfAnApp(path: String) throws {
        try LibraryFixture.use { fixture in
            let app = try fixture.install(try fixture.app())
            let files = fixture.library.path + "/packs/org.example.feeds/1.0.0/app"
            try FileManager.default.createSymbolicLink(atPath: files + "/link", withDestinationPath: "/etc/passwd")
            try FileManager.default.createSymbolicLink(atPath: files + "/folder", withDestinationPath: "/etc")
            let error = refusal { _ = try fixture.library.open(packPath(path), of: app) }
            #expect(error?.code == .noSuchFile || error?.code == .file)
        }
    }

    @Test func aRaceWithALinkNeverLeadsOut() throws {
        try LibraryFixture.use { fixture in
            let pack = try fixture.app()
            try FileManager.default.createDirectory(atPath: pack + "/folder", withIntermediateDirectories: true)
            try "inside".write(toFile: pack + "/folder/hostname", atomically: false, encoding: .utf8)
            let app = try fixture.install(pack)
            let outside = fixture.folder.path + "/outside"
            try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
            try "outside".write(toFile: outside + "/hostname", atomically: false, encoding: .utf8)
            let files = fixture.library.path + "/packs/org.example.feeds/1.0.0/app"
            try FileManager.default.createSymbolicLink(atPath: files + "/other", withDestinationPath: outside)
            let (folder, other, aside) = (files + "/folder", files + "/other", files + "/aside")
            let done = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                for _ in 0..<2000 {
                    rename(folder, aside)
                    rename(other, folder)
                    rename(folder, other)
                    rename(aside, folder)
                }
                done.signal()
            }
            let path = try packPath("/folder/hostname")
            var reads = 0
            while done.wait(timeout: .now()) == .timedOut {
                guard let bytes = try? fixture.library.read(path, of: app) else { continue }
                #expect(bytes == Array("inside".utf8))
                reads += 1
            }
            #expect(reads > 0)
        }
    }

    @Test func pieceByPiece() throws {
        try LibraryFixture.use { fixture in
            let code = (0..<100_000).map(String.init).joined(separator: ";")
            let app = try fixture.install(try fixture.app(code: code))
            let file = try fixture.library.open(packPath("/main.mjs"), of: app)
            #expect(file.byteCount == Int64(code.utf8.count))
            #expect(try file.read(at: 100, atMost: 50) == Array(Array(code.utf8)[100..<150]))
            #expect(try file.read(at: file.byteCount - 3, atMost: 50).count == 3)
            for offset in [-1, file.byteCount, .max, .min] { #expect(try file.read(at: offset, atMost: 10).isEmpty) }
            #expect(try file.readAll() == Array(code.utf8))
        }
    }
}

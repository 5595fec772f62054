import AppPacks
import Components
import Foundation
import Storage
import Testing

@Suite struct LibraryTests {
    private static let log = #"{"logToPlatform": true}"#
    private static let logAndNetwork =
        #"{"logToPlatform": true, "connectToExternal": {"fetch": [{"schema": "https", "anyDomain": true}]}}"#

    private func domain() throws -> AppDomain { try LibraryFixture.domain() }

    @Test(arguments: ["", "app"]) func whatIsInspectedIsInstalled(inner: String) throws {
        try LibraryFixture.use { fixture in
            let path = try fixture.app(asking: Self.logAndNetwork, code: "hello", inner: inner)
            try "kept".write(toFile: "\(path)/\(inner)/a b.txt", atomically: false, encoding: .utf8)
            try FileManager.default.createDirectory(atPath: "\(path)/.git", withIntermediateDirectories: true)
            try "secret".write(toFile: "\(path)/.git/config", atomically: false, encoding: .utf8)
            let inspection = try fixture.library.inspect(path)
            #expect(inspection.step == .new && inspection.fileCount == 2 && inspection.byteCount == 9)
            #expect(inspection.newRequests.map(\.capability) == [.network, .log])
            #expect(try fixture.library.list().apps.isEmpty)

            let app = try fixture.library.install(inspection, granting: [.log])
            #expect(try fixture.code(of: app) == "hello")
            #expect(try fixture.library.read(packPath("/a b.txt"), of: app) == Array("kept".utf8))
            #expect(try fixture.library.list().apps == [app] && fixture.library.app(domain()) == app)
            let grants = try fixture.library.grants(of: app.domain)
            #expect(app.manifest.components[0].requested.limited(to: grants).all == [Permission(.log)])
            #expect(try fixture.names(in: "packs/org.example.feeds/1.0.0/app") == ["a b.txt", "main.mjs"])
            #expect(try fixture.names(in: "partial").isEmpty)
        }
    }

    @Test func aManifestMayBeginWithAByteOrderMark() throws {
        try LibraryFixture.use { fixture in
            let path = try fixture.app()
            let marked = "\u{FEFF}" + LibraryFixture.manifest()
            try marked.write(toFile: path + "/manifest.json", atomically: false, encoding: .utf8)
            let app = try fixture.install(path)
            let json = try fixture.library.manifestJSON(of: app)
            #expect(try AppManifest.json(Array(marked.utf8)) == json)
            #expect(try fixture.library.list().apps == [app])
        }
    }

    @Test func anUpdateKeepsGrantsAndDataAndAsksForWhatIsNew() throws {
        try LibraryFixture.use { fixture in
            let first = try fixture.install(try fixture.app(asking: Self.log, code: "1"), granting: [.log])
            let data = try fixture.library.dataFolder(of: first.domain)
            try "mine".write(toFile: data + "/a.txt", atomically: false, encoding: .utf8)
            let update = try fixture.library.inspect(
                try fixture.app(version: "1.1.0", asking: Self.logAndNetwork, code: "2"))
            #expect(update.step == .update(from: first.version) && update.newRequests.map(\.capability) == [.network])

            let second = try fixture.library.install(update, granting: [])
            let grants = try fixture.library.grants(of: first.domain)
            #expect(second.manifest.components[0].requested.limited(to: grants).all == [Permission(.log)])
            #expect(try String(contentsOfFile: data + "/a.txt", encoding: .utf8) == "mine")
            #expect(try fixture.code(of: second) == "2")
            #expect(try fixture.code(of: first) == "1", "a running app lost its files")

            let third = try fixture.install(try fixture.app(version: "1.2.0", asking: Self.logAndNetwork, code: "3"))
            #expect(try fixture.code(of: second) == "2" && fixture.code(of: third) == "3")
            #expect(refusal { _ = try fixture.code(of: first) }?.code == .noSuchFile)
            #expect(try fixture.names(in: "packs/org.example.feeds") == ["1.1.0", "1.2.0", "current", "grants.json"])
        }
    }

    @Test func whatWasAskedForBeforeAndIsAskedForAgainWasNotGranted() throws {
        try LibraryFixture.use { fixture in
            let first = try fixture.install(try fixture.app(asking: Self.logAndNetwork), granting: [.network])
            try fixture.install(try fixture.app(version: "1.1.0", asking: Self.log))
            let third = try fixture.library.inspect(try fixture.app(version: "1.2.0", asking: Self.logAndNetwork))
            #expect(third.newRequests.map(\.capability) == [.network])
            let app = try fixture.library.install(third, granting: [])
            let grants = try fixture.library.grants(of: first.domain)
            #expect(app.manifest.components[0].requested.limited(to: grants).isEmpty)
        }
    }

    @Test func theSameVersionIsPutInPlaceAgain() throws {
        try LibraryFixture.use { fixture in
            var apps = [try fixture.install(try fixture.app(code: "0"))]
            for number in 1...5 {
                let inspection = try fixture.library.inspect(try fixture.app(code: "\(number)"))
                #expect(inspection.step == .again)
                apps.append(try fixture.library.install(inspection, granting: []))
                #expect(
                    try fixture.code(of: apps[number]) == "\(number)"
                        && fixture.code(of: apps[number - 1]) == "\(number - 1)")
                #expect(try fixture.library.app(domain()) == apps[number])
            }
            #expect(try fixture.names(in: "packs/org.example.feeds").count == 4)
        }
    }

    @Test func anOlderVersionHasToBeWanted() throws {
        try LibraryFixture.use { fixture in
            let new = try fixture.install(try fixture.app(version: "2.0.0"))
            let old = try fixture.library.inspect(try fixture.app(version: "1.9.9"))
            #expect(old.step == .downgrade(from: new.version))
            #expect(refusal { try fixture.library.install(old, granting: []) }?.code == .older)
            #expect(try fixture.library.install(old, granting: [], goingBack: true).version.text == "1.9.9")
        }
    }

    @Test func nobodyInstallsWhatWasNotShown() throws {
        try LibraryFixture.use { fixture in
            let shown = try fixture.library.inspect(try fixture.app(asking: Self.log))
            _ = try fixture.app(asking: Self.logAndNetwork)
            #expect(refusal { try fixture.library.install(shown, granting: [.log, .network]) }?.code == .changed)
            let again = try fixture.library.inspect(try fixture.app(asking: Self.log))
            try fixture.install(try fixture.app(version: "0.9", asking: "{}", in: "other"))
            #expect(refusal { try fixture.library.install(again, granting: [.log]) }?.code == .changed)
        }
    }

    @Test func grantsAreGivenAndTakenBack() throws {
        try LibraryFixture.use { fixture in
            let app = try fixture.install(try fixture.app(asking: Self.logAndNetwork))
            let requested = app.manifest.components[0].requested
            func has() throws -> [Capability] {
                requested.limited(to: try fixture.library.grants(of: app.domain)).all.map(\.capability)
            }
            try fixture.library.setGrant(.network, to: true, of: app.domain)
            try fixture.library.setGrant(.log, to: true, of: app.domain)
            #expect(try has() == [.log, .network])
            try fixture.library.setGrant(.network, to: false, of: app.domain)
            #expect(try has() == [.log])
            #expect(refusal { try fixture.library.setGrant(.mail, to: true, of: app.domain) }?.code == .notRequested)
            let other = try #require(AppDomain("other.example.org"))
            #expect(refusal { try fixture.library.setGrant(.log, to: true, of: other) }?.code == .notInstalled)
            #expect(refusal { _ = try fixture.library.grants(of: other) }?.code == .notInstalled)
        }
    }

    @Test func aWatchSeesGrantsAndUpdates() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "alcove-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let library = try AppLibrary(path: folder.path)
        let fixture = LibraryFixture(folder: folder, library: library)
        try fixture.install(try fixture.app(asking: Self.log))
        let watch = try FolderWatch([library.watchedFolder])
        var changes = watch.changes.makeAsyncIterator()
        try library.setGrant(.log, to: true, of: domain())
        var seen: Set<String> = []
        while !seen.contains(where: { $0.hasSuffix("/grants.json") }), let paths = await changes.next() {
            seen.formUnion(paths)
        }
        try fixture.install(try fixture.app(version: "1.1.0", asking: Self.log))
        while !seen.contains(where: { $0.hasSuffix("/current") }), let paths = await changes.next() {
            seen.formUnion(paths)
        }
        #expect(seen.contains { $0.hasSuffix("org.example.feeds/current") })
    }

    @Test func removingKeepsDataOrNot() throws {
        try LibraryFixture.use { fixture in
            let path = try fixture.app(asking: Self.log)
            let app = try fixture.install(path, granting: [.log])
            let data = try fixture.library.dataFolder(of: app.domain)
            let deep = data + String(repeating: "/d", count: 200)
            try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: true)
            try "x".write(toFile: deep + "/x", atomically: false, encoding: .utf8)
            try "x".write(toFile: fixture.library.logFile(of: app.domain), atomically: false, encoding: .utf8)

            try fixture.library.remove(app.domain, keepingData: true)
            #expect(try fixture.library.list().apps.isEmpty && fixture.names(in: "packs").isEmpty)
            #expect(refusal { _ = try fixture.library.app(app.domain) }?.code == .notInstalled)
            #expect(FileManager.default.fileExists(atPath: deep + "/x"))
            try fixture.install(path)
            let grants = try fixture.library.grants(of: app.domain)
            #expect(app.manifest.components[0].requested.limited(to: grants).isEmpty, "grants outlived the app")

            try fixture.library.remove(app.domain, keepingData: false)
            #expect(try fixture.names(in: "data").isEmpty && fixture.names(in: "logs").isEmpty)
            #expect(try fixture.names(in: "partial").isEmpty)
            #expect(refusal { try fixture.library.remove(app.domain, keepingData: false) }?.code == .notInstalled)
        }
    }

    @Test func foldersBelowGoWithTheAppUnlessTheyAreAnApps() throws {
        try LibraryFixture.use { fixture in
            let folders = ["feeds", "a.feeds", "b.feeds"].map {
                #"{"domain": "\#($0).example.org", "storage": "local"}"#
            }
            let app = try fixture.install(
                try fixture.app(asking: #"{"storage": {"appFS": [\#(folders.joined(separator: ","))]}}"#))
            try fixture.install(try fixture.app("b.feeds.example.org"))
            for domain in app.manifest.components[0].requested.folders(in: .local) {
                _ = try fixture.library.dataFolder(of: app.domain, named: domain)
            }
            _ = try fixture.library.dataFolder(of: try #require(AppDomain("b.feeds.example.org")))
            try fixture.library.remove(app.domain, keepingData: false)
            #expect(try fixture.names(in: "data") == ["org.example.feeds.b"])
        }
    }

    @Test func appsAreFoundByNameAndDomain() throws {
        try LibraryFixture.use { fixture in
            let app = try fixture.install(try fixture.app())
            for text in ["feeds.example.org", "FEEDS.example.org", "feeds", "Feeds"] {
                #expect(try fixture.library.list().app(named: text) == app)
            }
            #expect(refusal { _ = try fixture.library.list().app(named: "chat") }?.code == .notInstalled)
            try fixture.install(try fixture.app("other.example.org"))
            let error = refusal { _ = try fixture.library.list().app(named: "feeds") }
            #expect(error?.message.contains("feeds.example.org and other.example.org") == true)
        }
    }

    @Test func theLibraryIsMadeWhereItIsMissing() throws {
        try LibraryFixture.use { fixture in
            let path = fixture.folder.path + "/new"
            #expect(try AppLibrary(path: path).list().apps.isEmpty)
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o700)
            #expect(refusal { _ = try AppLibrary(path: path + "/a/b") }?.code == .file)
        }
    }

    @Test func itIsReadWhereTheLockCannotBeHad() throws {
        try LibraryFixture.use { fixture in
            let app = try fixture.install(try fixture.app())
            let lock = fixture.library.path + "/lock"
            try FileManager.default.removeItem(atPath: lock)
            try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: false)
            let library = try AppLibrary(path: fixture.library.path)
            #expect(try library.list().apps == [app])
            #expect(refusal { try library.remove(app.domain, keepingData: true) }?.code == .file)
        }
    }

    @Test func dataOfARemovedAppIsRemovedLater() throws {
        try LibraryFixture.use { fixture in
            let app = try fixture.install(try fixture.app())
            _ = try fixture.library.dataFolder(of: app.domain)
            try fixture.library.remove(app.domain, keepingData: true)
            try fixture.library.removeData(of: app.domain)
            #expect(try fixture.names(in: "data").isEmpty)
        }
    }

    @Test func leftoversAreSweptAndDamageIsTold() throws {
        try LibraryFixture.use { fixture in
            let manager = FileManager.default
            let packs = fixture.library.path + "/packs"
            let app = try fixture.install(try fixture.app())
            try manager.createDirectory(
                atPath: fixture.library.path + "/partial/x/app/y", withIntermediateDirectories: true)
            try manager.createDirectory(
                atPath: packs + "/org.example.never/1.0.0/app", withIntermediateDirectories: true)
            try manager.createDirectory(atPath: packs + "/org.example.bad", withIntermediateDirectories: true)
            try "../../x".write(toFile: packs + "/org.example.bad/current", atomically: false, encoding: .utf8)

            let library = try AppLibrary(path: fixture.library.path)
            #expect(try fixture.names(in: "partial").isEmpty)
            #expect(try fixture.names(in: "packs") == ["org.example.bad", "org.example.feeds"])
            let listing = try library.list()
            #expect(listing.apps == [app] && listing.damaged.map(\.domain.name) == ["bad.example.org"])
            let mended = try fixture.install(try fixture.app("bad.example.org"))
            #expect(try library.list().apps.map(\.domain) == [mended.domain, app.domain])
        }
    }
}

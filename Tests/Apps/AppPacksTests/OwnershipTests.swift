import AppPacks
import Components
import Foundation
import Testing

/// Whose files, names and code apps are.
@Suite struct OwnershipTests {
    private static let asking =
        #"{"storage": {"appFS": [{"domain": "a.feeds.example.org", "storage": "local"}, {"domain": "b.feeds.example.org", "storage": "local"}]}}"#

    /// Makes the library what an earlier version left: it wrote down neither that files were moved, nor publishers.
    private func age(_ library: AppLibrary) throws {
        for name in ["data-version", "publishers"] {
            try FileManager.default.removeItem(atPath: "\(library.path)/\(name)")
        }
    }

    @Test func filesOfAnEarlierVersionGoOnceToTheAppThatHadThem() throws {
        try LibraryFixture.use { fixture in
            let app = try fixture.install(try fixture.app(asking: Self.asking))
            let (a, b) = (
                try #require(AppDomain("a.feeds.example.org")), try #require(AppDomain("b.feeds.example.org"))
            )
            // Where earlier versions kept them: one is the app's, the other one that of another app.
            try "mine".write(toFile: fixture.library.dataFolder(of: a) + "/x", atomically: false, encoding: .utf8)
            try fixture.install(try fixture.app("b.feeds.example.org"))
            try "other".write(toFile: fixture.library.dataFolder(of: b) + "/x", atomically: false, encoding: .utf8)
            try age(fixture.library)

            let library = try AppLibrary(path: fixture.library.path)
            #expect(try fixture.names(in: "data") == ["org.example.feeds+", "org.example.feeds.b"])
            let mine = try library.dataFolder(of: app.domain, named: a)
            #expect(try String(contentsOfFile: mine + "/x", encoding: .utf8) == "mine")
            let fresh = try library.dataFolder(of: app.domain, named: b)
            #expect(try FileManager.default.contentsOfDirectory(atPath: fresh).isEmpty)
            try library.remove(app.domain, keepingData: false)
            #expect(try fixture.names(in: "data") == ["org.example.feeds.b"])
        }
    }

    @Test func whatIsInstalledLaterGetsAndRemovesNoFilesOfAnother() throws {
        try LibraryFixture.use { fixture in
            let b = try #require(AppDomain("b.feeds.example.org"))
            // Removed with its files kept by an earlier version, which left no other sign of it.
            try "other".write(toFile: fixture.library.dataFolder(of: b) + "/x", atomically: false, encoding: .utf8)
            try age(fixture.library)

            let library = try AppLibrary(path: fixture.library.path)
            let inspection = try library.inspect(try fixture.app(asking: Self.asking))
            #expect(
                inspection.warnings == [
                    "It keeps files under the name b.feeds.example.org, under which another app kept files, too. It does not get that app's files."
                ])
            let app = try library.install(inspection, granting: [])
            let reopened = try AppLibrary(path: fixture.library.path)
            let fresh = try reopened.dataFolder(of: app.domain, named: b)
            #expect(try FileManager.default.contentsOfDirectory(atPath: fresh).isEmpty)
            try reopened.remove(app.domain, keepingData: false)
            #expect(try fixture.names(in: "data") == ["org.example.feeds.b"])
            let again = try reopened.inspect(try fixture.app("b.feeds.example.org"))
            #expect(
                again.warnings == [
                    "Files that an app of the domain b.feeds.example.org kept are still here. This app gets them."
                ])
        }
    }

    @Test(arguments: [true, false])
    func anAppThatRemovesTheDataOfAnotherDoesNotComeIntoItsName(isWrittenDown: Bool) throws {
        try LibraryFixture.use { fixture in
            let library = fixture.library
            let store = try #require(AppDomain("store.example"))
            let app = try fixture.install(try fixture.app())
            _ = try library.dataFolder(of: app.domain)
            if !isWrittenDown {
                try FileManager.default.removeItem(atPath: "\(library.path)/publishers/\(app.domain.reversed)")
            }
            try library.remove(app.domain, keepingData: true)
            try library.removeData(of: app.domain, by: .app(store))
            #expect(try fixture.names(in: "data").isEmpty)
            #expect(try library.publisher(of: app.domain) == .person)
            let inspection = try library.inspect(try fixture.app())
            #expect(refusal { try library.install(inspection, granting: [], by: .app(store)) }?.code == .foreign)
            // The person gives the name free.
            try library.removeData(of: app.domain)
            #expect(try library.publisher(of: app.domain) == nil)
        }
    }

    @Test func whoeverInstalledAnAppReplacesItAndNobodyElse() throws {
        try LibraryFixture.use { fixture in
            let library = fixture.library
            let (store, rival) = (try #require(AppDomain("store.example")), try #require(AppDomain("rival.example")))
            let install = { (version: String, publisher: AppPublisher) throws -> Void in
                let inspection = try library.inspect(try fixture.app(version: version))
                try library.install(inspection, granting: [], by: publisher)
            }
            let domain = try LibraryFixture.domain()
            #expect(try library.publisher(of: domain) == nil)
            try install("1.0.0", .app(store))
            #expect(try library.publisher(of: domain) == .app(store))
            #expect(refusal { try install("1.1.0", .app(rival)) }?.code == .foreign)
            try install("1.1.0", .app(store))
            // It may replace itself, and stays whose it was.
            try install("1.2.0", .app(domain))
            #expect(try library.publisher(of: domain) == .app(store))
            try install("1.3.0", .person)
            #expect(refusal { try install("1.4.0", .app(store)) }?.code == .foreign)
            #expect(try library.app(domain).version.text == "1.3.0")
            // Nobody comes into its files by removing it first.
            _ = try library.dataFolder(of: domain)
            try library.remove(domain, keepingData: true)
            #expect(refusal { try install("1.4.0", .app(store)) }?.code == .foreign)
            try library.removeData(of: domain)
            try install("1.4.0", .app(rival))
            #expect(try library.publisher(of: domain) == .app(rival))
        }
    }

    @Test func whatWasInstalledBeforePublishersWereNotedIsThePersons() throws {
        try LibraryFixture.use { fixture in
            let app = try fixture.install(try fixture.app())
            try FileManager.default.removeItem(atPath: "\(fixture.library.path)/publishers/\(app.domain.reversed)")
            #expect(try fixture.library.publisher(of: app.domain) == .person)
            let store = try #require(AppDomain("store.example"))
            let inspection = try fixture.library.inspect(try fixture.app(version: "2.0.0"))
            let code = refusal { try fixture.library.install(inspection, granting: [], by: .app(store)) }?.code
            #expect(code == .foreign)
        }
    }

    @Test func whoIsAskedHearsWithWhatAnAppCouldBeConfused() throws {
        try LibraryFixture.use { fixture in
            try fixture.install(try fixture.app("b.feeds.example.org"))
            let asking = #"{"storage": {"appFS": [{"domain": "b.feeds.example.org", "storage": "local"}]}}"#
            let inspection = try fixture.library.inspect(try fixture.app(asking: asking))
            #expect(
                inspection.warnings == [
                    "Its name looks like that of Feeds (b.feeds.example.org), which is another app.",
                    "It keeps files under the name b.feeds.example.org, which is that of another app, Feeds. It does not get that app's files.",
                ])
            // An update of the same app is not another app.
            let update = try fixture.library.inspect(try fixture.app("b.feeds.example.org", version: "2.0.0"))
            #expect(update.warnings.isEmpty)
        }
    }
}

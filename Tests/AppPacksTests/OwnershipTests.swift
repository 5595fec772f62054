import AppPacks
import Components
import Foundation
import Testing

/// Whose files, names and code apps are.
@Suite struct OwnershipTests {
    @Test func aNameBelowIsAFolderOfTheAppsOwn() throws {
        try LibraryFixture.use { fixture in
            let asking =
                #"{"storage": {"appFS": [{"domain": "a.feeds.example.org", "storage": "local"}, {"domain": "b.feeds.example.org", "storage": "local"}]}}"#
            let app = try fixture.install(try fixture.app(asking: asking))
            let (a, b) = (
                try #require(AppDomain("a.feeds.example.org")), try #require(AppDomain("b.feeds.example.org"))
            )
            // Where earlier versions kept them: one is the app's, the other one that of an app which was removed with its files kept.
            try "mine".write(toFile: fixture.library.dataFolder(of: a) + "/x", atomically: false, encoding: .utf8)
            let other = try fixture.install(try fixture.app("b.feeds.example.org"))
            try "other".write(toFile: fixture.library.dataFolder(of: b) + "/x", atomically: false, encoding: .utf8)
            try fixture.library.remove(other.domain, keepingData: true)

            let mine = try fixture.library.dataFolder(of: app.domain, named: a)
            #expect(try String(contentsOfFile: mine + "/x", encoding: .utf8) == "mine")
            let fresh = try fixture.library.dataFolder(of: app.domain, named: b)
            #expect(try FileManager.default.contentsOfDirectory(atPath: fresh).isEmpty)
            #expect(
                try fixture.names(in: "data") == ["org.example.feeds+", "org.example.feeds.b"])
            try fixture.library.remove(app.domain, keepingData: false)
            #expect(try fixture.names(in: "data") == ["org.example.feeds.b"])
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

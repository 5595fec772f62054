import AppCore
import Catalogues
import Components
import Testing

@testable import Host

/// The core has a sentence for everything that an app can be granted, and in English it says what the command line says.
@Suite struct CapabilityTitleTests {
    @Test func everyCapabilityIsKnown() {
        #expect(CapabilityName.known == Set(Capability.allCases.map { CapabilityName($0.rawValue) }))
    }

    @Test(arguments: Capability.allCases) func itIsCalledTheSameEverywhere(capability: Capability) {
        #expect(Words.key("capability.\(capability.rawValue)").english == capability.words)
    }

    private static let scopes: [(PermissionScope, english: String?, german: String?)] = [
        (.whole, nil, nil),
        (
            .address(AddressPattern(scheme: .https, hosts: .any)), "Pages of any site on the internet, over https",
            "Seiten von jeder Seite im Internet, über https"
        ),
        (
            .address(
                AddressPattern(scheme: .wss, hosts: .named("a.org", subdomains: true), port: 8080, pathPrefix: "/a")),
            "Live connections to a.org and all sites below it, port 8080, below /a, over wss",
            "Dauernde Verbindungen mit a.org und allem darunter, Port 8080, unterhalb von /a, über wss"
        ),
        (
            .storage(.synced, writable: true), "Files on all your devices, reading and writing",
            "Dateien auf all deinen Geräten, lesen und schreiben"
        ),
        (.devicePath("/tmp/x", writable: false), "/tmp/x, only reading", "/tmp/x, nur lesen"),
        (.part("screens select"), "Screens that you choose", "Bildschirme, die du wählst"),
        (.named("sync", app: nil), "sync", "sync"),
    ]

    /// How much of it is asked for is said in the language of who is asked.
    @Test(arguments: scopes) func howMuchIsSaidInEveryLanguage(
        scope: PermissionScope, english: String?, german: String?
    ) throws {
        let words = RequestDetail(scope)?.words
        #expect(words.map(Catalogue.english.text) == english)
        #expect(words.map(try #require(Catalogue.all["de"]).text) == german)
    }

    /// Nothing that a manifest can ask for is left to the words of the host.
    @Test(arguments: RequestDetail.knownParts) func everyPartHasASentence(part: String) {
        for catalogue in Catalogue.all.values {
            let words = RequestDetail.part(part: part).words
            #expect(!catalogue.text(words).hasPrefix("request."))
        }
    }
}

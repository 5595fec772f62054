import Components
import Testing
import Wire

@Suite struct PermissionTests {
    @Test func everyCapabilityCanBeAskedFor() throws {
        var asked = Set(try ManifestSample.manifest().requests.map(\.capability))
        asked.formUnion(try ManifestSample.asking(#"{"mail": {"preflightsTo": "all"}}"#).requests.map(\.capability))
        #expect(asked == Set(Capability.allCases))
    }

    @Test func requestsSayWhoAsksAndForHowMuch() throws {
        let requests = try ManifestSample.manifest().requests
        let network = try #require(requests.first { $0.capability == .network })
        #expect(network.components.map(\.text) == ["/main.mjs"])
        #expect(
            network.permissions.map(\.scope) == [
                .address(AddressPattern(scheme: .https, hosts: .any)),
                .address(
                    AddressPattern(
                        scheme: .http, hosts: .named("localhost", subdomains: false), port: 8080, pathPrefix: "/a")),
            ])
        let files = try #require(requests.first { $0.capability == .ownFiles })
        #expect(files.permissions.map(\.scope.text) == ["feeds.example.org", "cache.feeds.example.org"])
    }

    @Test func whatIsForeignIsLeftOut() throws {
        let manifest = try ManifestSample.asking(
            #"{"storage": {"appFS": [{"domain": "example.org", "storage": "local"}]}, "mail": {"sendingTo": {"whitelist": []}}}"#
        )
        #expect(manifest.requests.isEmpty && manifest.warnings.count == 2)
    }

    @Test(arguments: [#"{"mailerid": false}"#, #"{"mailerid": null}"#, #"{"mailerid": true, "mailerid": false}"#])
    func falseAndNullAskForNothing(requests: String) throws {
        #expect(try ManifestSample.asking(requests).requests.isEmpty)
    }

    @Test func webSocketsAreForPages() throws {
        let requests = #"{"connectToExternal": {"fetch": [{"schema": "ws", "domain": "example.org"}]}}"#
        let headless = try ManifestSample.asking(requests)
        #expect(headless.requests.isEmpty && headless.warnings.count == 1)
        let page = try ManifestSample.manifest(
            #"{"appDomain": "a.org", "version": "1", "name": "A", "capsRequested": \#(requests)}"#)
        #expect(page.components[0].requested.addresses.map(\.description) == ["ws://example.org"])
    }

    @Test func aComponentHasWhatItAskedForAndWasGranted() throws {
        let requested = try ManifestSample.manifest().components[0].requested
        let log = Permission(.log)
        let address = Permission(
            .network,
            .address(
                AddressPattern(
                    scheme: .http, hosts: .named("localhost", subdomains: false), port: 8080, pathPrefix: "/a")))
        var grants = Grants([log, address, Permission(.speakers)])
        #expect(requested.limited(to: grants).all == [log, address])
        grants.remove(.network)
        #expect(requested.limited(to: grants).all == [log])
        #expect(requested.limited(to: Grants()).isEmpty)
        #expect(requested.limited(to: Grants(requested.all)) == requested)
    }

    @Test func grantsAreStored() throws {
        let grants = Grants(try ManifestSample.manifest().requests.flatMap(\.permissions))
        let text = grants.json.text
        #expect(try Grants(json: JSONValue(text.utf8)) == grants)
        let known = Grants(json: ["network": ["https://*"], "of another version": ["*"]])
        #expect(known?.json == ["network": ["https://*"]])
        for wrong: JSONValue in [["network": "https://*"], ["network": [1]], []] { #expect(Grants(json: wrong) == nil) }
    }

    @Test func scopesOfOneCapabilityDiffer() throws {
        for request in try ManifestSample.manifest().requests {
            #expect(Set(request.permissions.map(\.scope.text)).count == request.permissions.count)
        }
    }

    @Test func anUpdateIsAskedAboutWhatItWantsBeyond() throws {
        let old = try ManifestSample.asking(
            #"{"logToPlatform": true, "connectToExternal": {"fetch": [{"schema": "https", "domain": "a.org"}]}}"#)
        let new = try ManifestSample.asking(
            #"{"logToPlatform": true, "connectivity": "check", "connectToExternal": {"fetch": [{"schema": "https", "domain": "a.org"}, {"schema": "https", "domain": "a.org", "subdomains": true}]}}"#
        )
        let beyond = new.requests(beyond: old)
        #expect(beyond.map(\.capability) == [.network, .connectivity])
        #expect(beyond[0].permissions.map(\.scope.text) == ["https://*.a.org"])
        #expect(old.requests(beyond: new).isEmpty)
    }

    @Test func filesOfOtherDomainsAreSensitive() throws {
        let own = try ManifestSample.asking(
            #"{"storage": {"appFS": [{"domain": "feeds.example.org", "storage": "local"}]}}"#)
        let below = try ManifestSample.asking(
            #"{"storage": {"appFS": [{"domain": "a.feeds.example.org", "storage": "local"}]}}"#)
        #expect(own.requests.map { $0.isSensitive(for: own.domain) } == [false])
        #expect(below.requests.map { $0.isSensitive(for: own.domain) } == [true])
    }

    private static let patterns = [
        "any": AddressPattern(scheme: .https, hosts: .any),
        "one": AddressPattern(scheme: .https, hosts: .named("a.org", subdomains: false)),
        "below": AddressPattern(scheme: .https, hosts: .named("a.org", subdomains: true), pathPrefix: "/feeds/"),
        "port": AddressPattern(scheme: .http, hosts: .named("::1", subdomains: false), port: 8080),
    ]

    @Test(arguments: [
        ("any", AddressPattern.Scheme.https, "b.net", UInt16(443), "/", true), ("any", .http, "b.net", 443, "/", false),
        ("any", .https, "b.net", 444, "/", false), ("one", .https, "A.ORG", 443, "/x", true),
        ("one", .https, "x.a.org", 443, "/x", false),
        ("below", .https, "x.a.org", 443, "/feeds/1?a=..", true), ("below", .https, "xa.org", 443, "/feeds/1", false),
        ("below", .https, "a.org", 443, "/feed", false), ("below", .https, "a.org", 443, "/feeds/../x", false),
        ("below", .https, "a.org", 443, "/feeds/%2E%2e/x", false),
        ("below", .https, "a.org", 443, "/feeds/..%2fx", false),
        ("below", .https, "a.org", 443, "/feeds/..\\x", false), ("port", .http, "::1", 8080, "/", true),
        ("port", .http, "::1", 80, "/", false),
    ])
    func addressesAreMatched(
        name: String, scheme: AddressPattern.Scheme, host: String, port: UInt16, path: String, fits: Bool
    ) throws {
        let pattern = try #require(Self.patterns[name])
        #expect(pattern.matches(scheme: scheme, host: host, port: port, path: path) == fits)
    }
}

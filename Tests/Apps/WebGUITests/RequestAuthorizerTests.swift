import Components
import Networking
import Testing

@testable import WebGUI

struct RequestAuthorizerTests {
    let authorizer = RequestAuthorizer(port: 4711)

    private func window(_ change: (inout HTTPFields) -> Void = { _ in }) -> HTTPRequest {
        let cookie = String(authorizer.cookie.prefix { $0 != ";" })
        var headers: HTTPFields = ["host": authorizer.windowHost, "cookie": "other=1; \(cookie)"]
        change(&headers)
        return HTTPRequest(path: "/", headers: headers)
    }

    private func app(_ change: (inout HTTPFields) -> Void = { _ in }) -> HTTPRequest {
        var headers: HTTPFields = ["host": authorizer.appHost]
        change(&headers)
        return HTTPRequest(path: "/index.html", headers: headers)
    }

    private func socket(_ change: (inout HTTPFields) -> Void = { _ in }) -> HTTPRequest {
        app {
            $0["origin"] = authorizer.appOrigin
            change(&$0)
        }
    }

    @Test func admitsTheWindowWithItsKey() {
        #expect(authorizer.admitsWindow(window()))
        #expect(authorizer.admitsWindow(window { $0["sec-fetch-site"] = "same-origin" }))
        #expect(authorizer.admitsWindow(window { $0["sec-fetch-site"] = "none" }))
        #expect(authorizer.cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
    }

    @Test func commandsComeFromScriptsOfTheWindowAlone() {
        let command = window { $0["origin"] = authorizer.windowOrigin }
        #expect(authorizer.admitsCommand(command))
        for origin in [nil, "null", authorizer.appOrigin, "http://localhost:4711", "https://evil.example"] {
            #expect(!authorizer.admitsCommand(window { $0["origin"] = origin }))
        }
        for site in ["none", "same-site", "cross-site"] {
            #expect(
                !authorizer.admitsCommand(
                    window { ($0["origin"], $0["sec-fetch-site"]) = (authorizer.windowOrigin, site) }))
        }
        for (field, value) in [("cookie", nil), ("cookie", "w3n=x"), ("host", authorizer.appHost)]
            as [(String, String?)]
        {
            #expect(
                !authorizer.admitsCommand(
                    window {
                        $0["origin"] = authorizer.windowOrigin
                        $0[field] = value
                    }))
        }
    }

    @Test func admitsTheAppInItsFrame() {
        #expect(authorizer.admitsApp(app()))
        #expect(authorizer.admitsApp(app { $0["sec-fetch-site"] = "same-origin" }))
        for site in ["cross-site", "same-site", "same-origin"] {
            #expect(
                authorizer.admitsApp(
                    app {
                        $0["sec-fetch-site"] = site
                        $0["sec-fetch-dest"] = "iframe"
                    }))
        }
        #expect(authorizer.admitsSocket(socket()))
        #expect(authorizer.admitsSocket(socket { $0["sec-fetch-site"] = "same-origin" }))
    }

    static let hosts: [String?] = [nil, "127.0.0.1:4711", "localhost:4711", "evil.example:4711"]

    @Test(arguments: hosts) func refusesOtherNames(_ host: String?) {
        #expect(!authorizer.admitsWindow(window { $0["host"] = host }))
        #expect(!authorizer.admitsApp(app { $0["host"] = host }))
        #expect(!authorizer.admitsSocket(socket { $0["host"] = host }))
    }

    static let keys: [String?] = [nil, "w3n=", "w3n", "w3n=00000000000000000000000000000000"]

    @Test(arguments: keys) func refusesOtherKeys(_ cookie: String?) {
        #expect(!authorizer.admitsWindow(window { $0["cookie"] = cookie }))
    }

    static let origins = ["null", "http://localhost:4711", "https://evil.example"]

    @Test(arguments: origins) func refusesOtherOrigins(_ origin: String) {
        #expect(!authorizer.admitsWindow(window { $0["origin"] = origin }))
        #expect(!authorizer.admitsApp(app { $0["origin"] = origin }))
        #expect(
            !authorizer.admitsApp(
                app {
                    ($0["origin"], $0["sec-fetch-site"], $0["sec-fetch-dest"]) = (origin, "cross-site", "iframe")
                }))
        #expect(!authorizer.admitsSocket(socket { $0["origin"] = origin }))
    }

    @Test(arguments: ["cross-site", "same-site"]) func refusesWhatOtherSitesAskFor(_ site: String) {
        #expect(!authorizer.admitsWindow(window { $0["sec-fetch-site"] = site }))
        for kind in ["script", "image", "empty", "document", "object", "embed"] {
            #expect(
                !authorizer.admitsApp(
                    app {
                        $0["sec-fetch-site"] = site
                        $0["sec-fetch-dest"] = kind
                    }))
        }
        #expect(!authorizer.admitsSocket(socket { $0["sec-fetch-site"] = site }))
    }

    @Test(arguments: ["none", "same-origin"]) func refusesAnAppWithoutItsFrame(_ site: String) {
        #expect(
            !authorizer.admitsApp(
                app {
                    $0["sec-fetch-site"] = site
                    $0["sec-fetch-dest"] = "document"
                }))
    }

    @Test func keepsTheWindowAndTheAppApart() {
        #expect(authorizer.windowHost != authorizer.appHost)
        #expect(!authorizer.admitsSocket(socket { $0["origin"] = authorizer.windowOrigin }))
        #expect(!authorizer.admitsWindow(window { $0["origin"] = authorizer.appOrigin }))
        #expect(!authorizer.admitsWindow(window { $0["host"] = authorizer.appHost }))
    }

    @Test func refusesAFieldThatComesTwice() {
        #expect(!authorizer.admitsWindow(window { $0.append("host", "evil.example") }))
        #expect(!authorizer.admitsWindow(window { $0.append("sec-fetch-site", "cross-site") }))
        #expect(!authorizer.admitsApp(app { $0.append("host", "evil.example") }))
    }

    @Test func refusesASocketOfNoOrigin() { #expect(!authorizer.admitsSocket(app())) }

    @Test func theKeyOfOneWindowIsNotThatOfAnother() {
        let other = RequestAuthorizer(port: 4711)
        #expect(other.windowHost != authorizer.windowHost && other.cookie != authorizer.cookie)
        #expect(!authorizer.admitsWindow(window { $0["cookie"] = other.cookie }))
        #expect(!other.admitsApp(app()) && !other.admitsSocket(socket()))
    }
}

struct SecretTests {
    @Test func matchesNothingButItself() {
        let secret = Secret()
        #expect(secret.matches(secret.text))
        for other in [
            Secret().text, "", String(secret.text.dropLast()), secret.text + "0", String(secret.text.reversed()),
        ] {
            #expect(!secret.matches(other))
        }
        for index in secret.text.indices {
            var changed = secret.text
            changed.replaceSubrange(index...index, with: changed[index] == "0" ? "1" : "0")
            #expect(!secret.matches(changed))
        }
    }
}

struct TicketsTests {
    @Test func eachIsGoodOnce() {
        let tickets = Tickets()
        let ticket = tickets.issue()
        #expect(!tickets.take("") && !tickets.take(ticket + "0") && !tickets.take(String(repeating: "0", count: 32)))
        #expect(tickets.take(ticket))
        #expect(!tickets.take(ticket))
    }

    @Test func endsInTime() {
        let (tickets, now) = (Tickets(), ContinuousClock.now)
        let (early, late) = (tickets.issue(at: now), tickets.issue(at: now + .seconds(10)))
        #expect(!tickets.take(early, at: now + Tickets.lifetime))
        #expect(tickets.take(late, at: now + Tickets.lifetime))
    }

    @Test func theOldestMakesRoom() {
        let tickets = Tickets()
        let issued = (0...Tickets.limit).map { _ in tickets.issue() }
        #expect(!tickets.take(issued[0]))
        #expect(issued.dropFirst().allSatisfy { tickets.take($0) })
    }
}

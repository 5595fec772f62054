import Components
import Networking
import Testing

@testable import WebGUI

struct RequestAuthorizerTests {
    let authorizer = RequestAuthorizer(port: 4711)

    private func request(_ change: (inout HTTPFields) -> Void = { _ in }) -> HTTPRequest {
        let cookie = String(authorizer.cookie.prefix { $0 != ";" })
        var headers: HTTPFields = ["host": authorizer.host, "cookie": "other=1; \(cookie)"]
        change(&headers)
        return HTTPRequest(path: "/index.html", headers: headers)
    }

    @Test func admitsThePagesOfItsSite() {
        #expect(authorizer.admits(request()))
        #expect(authorizer.admits(request { $0["sec-fetch-site"] = "same-origin" }))
        #expect(authorizer.admits(request { $0["sec-fetch-site"] = "none" }))
        #expect(authorizer.admits(request { $0["origin"] = authorizer.origin }, asSocket: true))
        #expect(authorizer.cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
    }

    static let changes: [(String, String?)] = [
        ("host", nil), ("host", "127.0.0.1:4711"), ("host", "localhost:4711"), ("host", "evil.example:4711"),
        ("cookie", nil), ("cookie", "w3n="), ("cookie", "w3n"), ("cookie", "w3n=00000000000000000000000000000000"),
        ("origin", "null"), ("origin", "http://localhost:4711"), ("origin", "https://evil.example"),
        ("sec-fetch-site", "cross-site"), ("sec-fetch-site", "same-site"),
    ]

    @Test(arguments: changes) func refuses(_ name: String, _ value: String?) {
        let foreign = request { $0[name] = value }
        #expect(!authorizer.admits(foreign))
        let socket = request {
            $0["origin"] = authorizer.origin
            $0[name] = value
        }
        #expect(!authorizer.admits(socket, asSocket: true))
    }

    @Test func refusesAFieldThatComesTwice() {
        #expect(!authorizer.admits(request { $0.append("host", "evil.example") }))
        #expect(!authorizer.admits(request { $0.append("sec-fetch-site", "cross-site") }))
    }

    @Test func refusesASocketOfNoOrigin() {
        #expect(!authorizer.admits(request(), asSocket: true))
    }

    @Test func theKeyOfOneSiteIsNotThatOfAnother() {
        let other = RequestAuthorizer(port: 4711)
        #expect(other.host != authorizer.host && other.cookie != authorizer.cookie)
        #expect(!authorizer.admits(request { $0["cookie"] = other.cookie }))
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

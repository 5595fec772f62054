import Components
import Networking
import Synchronization
import Testing

@testable import WebGUI

struct PageHandlerTests {
    private let authorizer = RequestAuthorizer(port: 4711)

    private func handler(_ files: [String: PageFile], menu: WindowMenu? = nil) -> PageHandler {
        let site = PageSite(
            frame: WindowFrame(
                title: "<Sample> & \"Co\"", texts: [.menu: "<Menü>", .failed: "\"nicht\" geklappt"]), menu: menu,
            entryPoint: PackPath("/a b/index%.html") ?? .indexPage,
            file: { files[$0.text] },
            listing: { await PrewarmedListing(ServiceObject(functions: ["log": .immediateValues { _, _ in nil }])) },
            permissions: { Permissions() },
            connect: { _ in nil })
        let handler = PageHandler(site)
        handler.open(authorizer)
        return handler
    }

    private func request(_ path: String, method: String = "GET") -> HTTPRequest {
        HTTPRequest(method: method, path: path, headers: ["host": authorizer.appHost])
    }

    @Test func servesFilesWithTypeAndPolicy() async {
        let handler = handler(["/app.js": PageFile([1, 2])])
        let response = await handler.answer(to: request("/app.js"))
        #expect(response.status == 200 && response.body == [1, 2])
        #expect(response.headers["content-type"] == "text/javascript")
        #expect(response.headers["content-security-policy"]?.contains("default-src 'self'") == true)
        #expect(response.headers["x-content-type-options"] == "nosniff")
        #expect(response.headers["cache-control"] == "no-store")
    }

    @Test(arguments: [
        "/", "/none.js", "/../app.js", "/a/../app.js", "//app.js", "/./app.js", "/a\\app.js", "/app.js\0", "*", "",
    ])
    func hasNothingElsewhere(_ path: String) async {
        let response = await handler(["/app.js": PageFile([1])]).answer(to: request(path))
        #expect(response.status == 404 && response.says("Open the app again"))
    }

    @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS", "get"]) func onlyReads(_ method: String) async {
        let response = await handler(["/app.js": PageFile([1])]).answer(to: request("/app.js", method: method))
        #expect(response.status == 405)
    }

    @Test func answersNobodyWithoutTheKey() async {
        let handler = handler(["/app.js": PageFile([1])])
        for path in ["/", "/window.js", "/app.js", "/none", RequestAuthorizer.socketPath] {
            let response = await handler.answer(to: HTTPRequest(path: path, headers: ["host": authorizer.windowHost]))
            #expect(response.status == 403 && response.says("Open the app again"))
        }
        for kind in ["document", "script"] {
            var open = request("/app.js")
            (open.headers["sec-fetch-dest"], open.headers["sec-fetch-site"]) = (kind, "none")
            #expect(await handler.answer(to: open).status == 403)
        }
        guard
            case .refuse(let refusal) = handler.upgrade(request(RequestAuthorizer.socketPath), from: PeerAddress("::1"))
        else {
            Issue.record("a socket without an origin")
            return
        }
        #expect(refusal.status == 403)
    }

    @Test func aTicketBecomesTheKeyOnce() async {
        let handler = handler([:])
        let enter = HTTPRequest(
            path: RequestAuthorizer.entrancePath, query: [.init("ticket", handler.tickets.issue())],
            headers: ["host": authorizer.windowHost, "sec-fetch-site": "cross-site"]
        )
        let response = await handler.answer(to: enter)
        #expect(response.status == 200)
        #expect(response.headers["refresh"] == "0; url=/")
        #expect(response.headers["set-cookie"] == authorizer.cookie)
        #expect(await handler.answer(to: enter).status == 403)
    }

    @Test func theWindowHoldsTheAppInAFrame() async {
        let cookie = String(authorizer.cookie.prefix { $0 != ";" })
        let headers: HTTPFields = ["host": authorizer.windowHost, "cookie": cookie]
        let handler = handler([:])
        let page = await handler.answer(to: HTTPRequest(path: "/", headers: headers))
        let text = String(decoding: page.body, as: UTF8.self)
        #expect(text.contains("src=\"\(authorizer.appOrigin)/a%20b/index%25.html\""))
        #expect(text.contains("<title>&lt;Sample&gt; &amp; &quot;Co&quot;</title>") && !text.contains("<Sample>"))
        let policy = page.headers["content-security-policy"]
        #expect(policy?.contains("frame-src \(authorizer.appOrigin);") == true)
        #expect(policy?.contains("default-src 'none'") == true)
        #expect(policy?.contains("frame-ancestors 'none'") == true)
        for path in ["/window.js", "/window.css"] {
            #expect(await handler.answer(to: HTTPRequest(path: path, headers: headers)).status == 200)
            #expect(await handler.answer(to: request(path)).status == 404)
        }
        #expect(await handler.answer(to: HTTPRequest(path: "/app.js", headers: headers)).status == 404)
    }

    /// What was done through a menu.
    private final class Done: Sendable {
        let deeds = Mutex<[String]>([])

        var menu: WindowMenu {
            WindowMenu(
                permissions: {
                    [.init(capability: "log", title: "</script><b>", detail: "", isGranted: true)]
                }, lines: { [.init(time: 7, level: "error", text: "\u{202E}\"<b>")] },
                setGrant: { capability, isGranted in
                    self.deeds.withLock { $0.append("\(capability) \(isGranted)") }
                    return capability == "log"
                }, stop: { self.deeds.withLock { $0.append("stop") } })
        }
    }

    private func asked(
        _ handler: PageHandler, _ path: String, _ query: [HTTPRequest.QueryItem] = [], method: String = "POST",
        origin: String? = nil
    ) async -> HTTPResponse {
        let cookie = String(authorizer.cookie.prefix { $0 != ";" })
        var headers: HTTPFields = ["host": authorizer.windowHost, "cookie": cookie]
        headers["origin"] = origin ?? (method == "POST" ? authorizer.windowOrigin : nil)
        return await handler.answer(to: HTTPRequest(method: method, path: path, query: query, headers: headers))
    }

    @Test func theMenuIsReadAndUsedByTheWindowAlone() async {
        let done = Done()
        let handler = handler([:], menu: done.menu)
        let page = String(decoding: await asked(handler, "/", method: "GET").body, as: UTF8.self)
        #expect(page.contains("&lt;Menü&gt;") && page.contains("data-text=\"&quot;nicht&quot; geklappt\""))
        let state = await asked(handler, "/menu", method: "GET")
        let json = String(decoding: state.body, as: UTF8.self)
        #expect(json.contains(#""capability":"log""#) && json.contains(#""time":7"#))
        #expect(state.headers["content-type"] == "application/json")
        #expect(state.headers["x-content-type-options"] == "nosniff")
        #expect(await asked(handler, "/menu.js", method: "GET").status == 200)
        let on = [HTTPRequest.QueryItem("capability", "log"), HTTPRequest.QueryItem("granted", "true")]
        #expect(await asked(handler, "/menu/permission", on).status == 204)
        #expect(
            await asked(handler, "/menu/permission", [.init("capability", "x"), .init("granted", "false")]).status
                == 409)
        #expect(await asked(handler, "/menu/permission", [.init("capability", "log")]).status == 400)
        #expect(await asked(handler, "/menu/other").status == 404)
        for path in ["/menu/permission", "/menu/stop"] {
            #expect(await asked(handler, path, on, origin: authorizer.appOrigin).status == 403)
            #expect(await asked(handler, path, on, method: "GET").status == 404)
        }
        #expect(done.deeds.withLock { $0 } == ["log true", "x false"])
        #expect(await asked(handler, "/menu/stop").status == 204)
        while done.deeds.withLock({ $0.last }) != "stop" { await Task.yield() }
    }

    @Test func aWindowWithoutAMenuHasNone() async {
        let handler = handler([:])
        let page = String(decoding: await asked(handler, "/", method: "GET").body, as: UTF8.self)
        #expect(!page.contains("dialog") && !page.contains("menu.js"))
        for path in ["/menu", "/menu.js"] { #expect(await asked(handler, path, method: "GET").status == 404) }
        #expect(await asked(handler, "/menu/stop").status == 404)
    }

    @Test func aTicketIsNoGoodAtAnotherHost() async {
        let handler = handler([:])
        let ticket = handler.tickets.issue()
        let enter = HTTPRequest(
            path: RequestAuthorizer.entrancePath, query: [.init("ticket", ticket)], headers: ["host": "evil.example"])
        #expect(await handler.answer(to: enter).status == 403)
        #expect(handler.tickets.take(ticket))
    }

    @Test func suppliesTheSetupScript() async {
        let response = await handler([:]).answer(to: request("/setup-w3n.bundle.js"))
        let text = String(decoding: response.body, as: UTF8.self)
        #expect(text.hasPrefix(#"globalThis._w3n_host_ = {"listing":{"w3n":["log"]},"socket":"/w3n-ipc"};"#))
        #expect(text.contains("_ipc_") && response.headers["content-type"] == "text/javascript; charset=utf-8")
        #expect(await handler([:]).answer(to: request("/setup-w3n-for-startup.bundle.js")).status == 404)
    }

    @Test func anAppMayBringItsOwnSetupScript() async {
        let own = handler(["/setup-w3n.bundle.js": PageFile(Array("theirs()".utf8))])
        let text = String(decoding: await own.answer(to: request("/setup-w3n.bundle.js")).body, as: UTF8.self)
        #expect(text.hasPrefix("globalThis._w3n_host_ = ") && text.hasSuffix(";\ntheirs()"))
    }

    static let unreadable = [
        PageFile(size: 1) { _, _ in nil }, PageFile(size: 2) { _, _ in [1] }, PageFile(size: -1) { _, _ in [] },
        PageFile(size: PageFile.sizeLimit + 1) { _, count in [UInt8](repeating: 0, count: count) },
    ]

    @Test(arguments: unreadable.indices) func failsOnWhatCannotBeRead(_ index: Int) async {
        let handler = handler(["/x": Self.unreadable[index]])
        #expect(await handler.answer(to: request("/x")).status == 500)
    }

    @Test func readsInPieces() async {
        let bytes = (0..<300_000).map { (index: Int) in UInt8(truncatingIfNeeded: index &* 7) }
        let file = PageFile(size: bytes.count) { offset, count in
            count <= PageFile.pieceSize ? Array(bytes[offset..<offset + count]) : nil
        }
        #expect(await file.contents() == bytes)
    }
}

struct PrewarmedListingTests {
    private let call = ServiceFunction.immediateValues { _, _ in nil }

    @Test func walksTheTreeOfTheCore() async {
        let storage = ServiceObject(functions: ["getAppLocalFS": call, "getSysFS": call])
        let root = ServiceObject(functions: ["log": call], members: ["storage": storage])
        let listing = await PrewarmedListing(root)
        #expect(listing.json == #"{"w3n":["log","storage"],"w3n/storage":["getAppLocalFS","getSysFS"]}"#)
    }

    @Test func endsInATreeWithoutEnd() async {
        let listing = await PrewarmedListing { _ in ["a", "b"] }
        #expect(listing.names.keys.map(\.count).max() == PrewarmedListing.depth)
        #expect(listing.names.count == 15)
    }

    @Test func leavesOutWhatIsTooMuch() async {
        let listing = await PrewarmedListing { path in path.count == 1 ? (0..<5000).map(String.init) : ["x/y", ""] }
        let total: Int = listing.names.values.reduce(0) { $0 + $1.count }
        #expect(total == PrewarmedListing.limit)
        #expect(listing.names.count == 1)
    }
}

extension HTTPResponse {
    /// Whether it is a text that a person can read.
    fileprivate func says(_ words: String) -> Bool {
        headers["content-type"] == "text/plain; charset=utf-8" && String(decoding: body, as: UTF8.self).contains(words)
    }
}

import ComponentStorage
import Foundation
import Networking
import Synchronization
import Testing
import WebGUI

/// A server of somebody else on this computer: notes what is asked of it, and serves a page that attacks.
private final class OtherSite: HTTPServerHandler {
    let requests = Lines()
    private let page = Mutex("")

    func serve(_ page: String) { self.page.withLock { $0 = page } }

    func handle(_ request: HTTPRequest, from peer: PeerAddress, responder: HTTPResponder) {
        requests.add(request.path)
        guard request.path == "/attack" else { return responder.respond(HTTPResponse(status: 200)) }
        let page = page.withLock { Array($0.utf8) }
        responder.respond(HTTPResponse(status: 200, headers: ["content-type": "text/html; charset=utf-8"], body: page))
    }

    /// Tries to get at a site, and tells this server how it went: `/result/socket/refused`.
    static func attack(on origin: String) -> String {
        """
        <!doctype html><body><script type="module">
        const site = '\(origin)'
        const tell = (what, how) => fetch(`/result/${what}/${how}`)
        const attempt = (what, promise) => promise.then(() => tell(what, 'worked'), () => tell(what, 'refused'))
        const element = (name, attributes) => new Promise((resolve, reject) => {
          const element = Object.assign(document.createElement(name), attributes)
          element.onload = resolve
          element.onerror = reject
          document.body.append(element)
        })
        await attempt('reading', fetch(site + '/app.js', { credentials: 'include' }))
        await attempt('posting', fetch(site + '/app.js', { method: 'POST', credentials: 'include', body: 'x' }))
        await attempt('script', element('script', { src: site + '/setup-w3n.bundle.js' }))
        await attempt('socket', new Promise((resolve, reject) => {
          const socket = new WebSocket(site.replace('http', 'ws') + '/w3n-ipc')
          socket.onopen = resolve
          socket.onerror = reject
        }))
        element('iframe', { src: site + '/index.html' })
        setTimeout(() => tell('all', 'done'), 1500)
        </script></body>
        """
    }
}

@Suite(.timeLimit(.minutes(5))) struct BrowserTests {
    @Test func anAppRunsInAPageOfItsOwnAndNobodyElseGetsIn() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "web-gui-app-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder.appending(path: "root"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let other = OtherSite()
        let otherServer = HTTPServer(configuration: HTTPServerConfiguration(), handler: other)
        let outside = "http://127.0.0.1:\(try await otherServer.start())"
        let app = SampleApp(storage: try StorageRoot(folder.path + "/root"), outside: outside)
        let server = try await PageServer.start(app.site())
        other.serve(OtherSite.attack(on: server.origin))
        let browser = try Browser()
        defer { browser.end() }

        // Without a ticket there is nothing, and a ticket that was seen is worth nothing.
        try await browser.open(server.origin + "/index.html")
        let entrance = server.entrance()
        try await browser.open(entrance)
        #expect(try await app.lines.wait(for: "done"))
        let first = Array(app.lines.all.prefix { $0 != "again log,storage" })
        #expect(first == Self.expected)
        #expect(other.requests.all.isEmpty)

        #expect(try await app.lines.wait(for: "again log,storage"))
        // The first page, its garbage, and its second load.
        #expect(app.connections.count == 3)

        // The app alone, without the frame that holds it, is not to be had; nor is its frame once more for the same ticket.
        try await browser.open(server.origin + "/index.html")
        try await browser.open(entrance)
        #expect(app.connections.count == 3)

        try await browser.open(outside + "/attack")
        #expect(try await other.requests.wait(for: "/result/all/done"))
        for what in ["reading", "posting", "script", "socket"] {
            #expect(other.requests.all.contains("/result/\(what)/refused"))
        }
        #expect(app.connections.count == 3)
        #expect(!other.requests.all.contains("/stolen"))
        await server.stop()
        await otherServer.stop()
    }

    private static let expected = [
        "names log,storage", "inline script refused", "handles gone", "cookie hidden", "eval refused",
        "function of text refused", "fetch elsewhere refused", "socket elsewhere refused", "image elsewhere refused",
        "script elsewhere refused", "new window refused", "window around refused",
        "leaving with the window refused", "wasm worked", "own file worked",
        "bytes true", "text grüße 🐧", "exception file true", "watched true", "garbage closed", "done",
    ]
}

import Host
import Networking
import Synchronization

/// Answers the requests of browsers.
final class PageHandler: HTTPServerHandler {
    /// Pages that are open at the same time; each has a view.
    static let pageLimit = 15

    private let folder: PageFolder
    private let uploads: PageUploads
    private let files: PageFiles
    private let apps: PageApps
    private let attach: AttachServer
    /// Nil until the port is known.
    private let opened = Mutex<PageAccess?>(nil)
    private let pages = Mutex<[ServerWebSocket: PageSocket]>([:])

    init(_ folder: PageFolder, _ apps: PageApps, _ attach: AttachServer) {
        self.folder = folder
        self.apps = apps
        uploads = PageUploads(attach.uploads) { await attach.isLocked }
        files = PageFiles(attach)
        self.attach = attach
    }

    func open(_ access: PageAccess) { opened.withLock { $0 = access } }

    private var access: PageAccess? { opened.withLock { $0 } }

    // MARK: - Requests

    func plan(for request: HTTPRequest, from peer: PeerAddress) -> RequestPlan {
        guard PageUploads.concerns(request) else { return .whole }
        guard let access, access.isOurs(request) else { return .refuse(PagePolicy.wrongName) }
        // A browser says no origin with `HEAD`.
        guard request.method == "HEAD" ? access.isFromPage(request) : access.isSameOrigin(request) else {
            return .refuse(PagePolicy.otherOrigin)
        }
        guard access.admits(request) else { return .refuse(PagePolicy.notLetIn) }
        return uploads.plan(for: request)
    }

    func handle(_ request: HTTPRequest, from peer: PeerAddress, responder: HTTPResponder) {
        if let wish = PageApps.wish(of: request) { return handle(wish, request, responder) }
        let isFile = [PageFiles.path, PageFiles.archives].contains(where: request.path.hasPrefix)
        let picture = PagePicture(path: request.path)
        guard isFile || picture != nil else { return responder.respond(answer(to: request)) }
        if let refusal = refusal(of: request) { return responder.respond(refusal) }
        Task { [attach, files] in
            if let picture {
                return responder.respond(
                    await picture.response(from: attach, isSaved: request.queryValue("save") != nil))
            }
            responder.respond(await files.response(to: request))
        }
    }

    private func handle(_ wish: PageApps.Wish, _ request: HTTPRequest, _ responder: HTTPResponder) {
        guard let access, access.isOurs(request) else { return responder.respond(PagePolicy.wrongName) }
        guard access.hasNoOtherOrigin(request) else { return responder.respond(PagePolicy.otherOrigin) }
        guard access.admits(request) else { return responder.respond(PagePolicy.notLetIn) }
        Task { [apps] in responder.respond(await apps.response(to: wish)) }
    }

    /// Why somebody gets nothing of the profile.
    private func refusal(of request: HTTPRequest) -> HTTPResponse? {
        guard let access, access.isOurs(request) else { return PagePolicy.wrongName }
        guard request.method == "GET" || request.method == "HEAD" else { return PagePolicy.notAllowed }
        guard access.isFromPage(request) else { return PagePolicy.otherOrigin }
        return access.admits(request) ? nil : PagePolicy.notLetIn
    }

    private func answer(to request: HTTPRequest) -> HTTPResponse {
        guard let access, access.isOurs(request) else { return PagePolicy.wrongName }
        guard request.method == "GET" || request.method == "HEAD" else { return PagePolicy.notAllowed }
        guard access.hasNoOtherOrigin(request) else { return PagePolicy.otherOrigin }
        if request.path == PageAccess.entrance { return enter(request, access) }
        guard access.admits(request) else { return PagePolicy.notLetIn }
        return folder.response(to: request) ?? PagePolicy.unknown
    }

    /// Gives the cookie to the holder of a ticket, and leads on from here: a cookie for this site alone is not sent where another one,
    /// also a file, leads. A `HEAD` does not use the ticket up.
    private func enter(_ request: HTTPRequest, _ access: PageAccess) -> HTTPResponse {
        guard request.method == "GET", let ticket = request.queryValue("ticket"), let cookie = access.enter(ticket)
        else {
            return PagePolicy.usedTicket
        }
        var response = PagePolicy.refusal(200, "Alcove", "<a href=\"/\">Go on to the page</a>")
        response.headers["set-cookie"] = cookie
        response.headers["refresh"] = "0; url=/"
        return response
    }

    // MARK: - Sockets

    func upgrade(_ request: HTTPRequest, from peer: PeerAddress) -> WebSocketUpgrade {
        guard let access, access.isOurs(request) else { return .refuse(PagePolicy.wrongName) }
        guard request.path == PageAccess.socket else { return .refuse(PagePolicy.unknown) }
        guard access.isSameOrigin(request) else { return .refuse(PagePolicy.otherOrigin) }
        guard access.admits(request) else { return .refuse(PagePolicy.notLetIn) }
        return pages.withLock { $0.count < Self.pageLimit } ? .accept : .refuse(PagePolicy.tooMany)
    }

    func opened(_ socket: ServerWebSocket) {
        guard let access else { return socket.close() }
        let page = PageSocket(socket, access.proof)
        pages.withLock { $0[socket] = page }
        Task { [attach] in
            await attach.serve(page, as: .page)
            page.cut()
        }
    }

    func received(_ message: WebSocketMessage, on socket: ServerWebSocket) {
        pages.withLock { $0[socket] }?.receive(message)
    }

    func closed(_ socket: ServerWebSocket) { pages.withLock { $0.removeValue(forKey: socket) }?.end() }
}

internal import Components
internal import Networking

/// What the window around an app asks for. Its menu reads with `GET`, and changes something with `POST`.
extension PageHandler {
    static let menuPath = "/menu"
    static let permissionPath = "/menu/permission"
    static let stopPath = "/menu/stop"

    func window(_ request: HTTPRequest, _ authorizer: RequestAuthorizer) async -> HTTPResponse {
        if request.path == RequestAuthorizer.entrancePath { return enter(request, authorizer) }
        guard authorizer.admitsWindow(request) else { return .refusal(403) }
        if request.path == Self.menuPath, let menu = site.menu {
            var response = HTTPResponse(
                status: 200, headers: PagePolicy.refusal, body: Array(await menu.state().utf8))
            response.headers["content-type"] = "application/json"
            return response
        }
        return site.frame.response(
            to: request.path, app: authorizer.appOrigin, entryPoint: site.entryPoint.text, hasMenu: site.menu != nil)
            ?? .refusal(404)
    }

    func command(_ request: HTTPRequest, _ authorizer: RequestAuthorizer) async -> HTTPResponse {
        guard authorizer.admitsCommand(request) else { return .refusal(403) }
        guard let menu = site.menu else { return .refusal(404) }
        switch request.path {
        case Self.permissionPath:
            guard let capability = request.queryValue("capability"),
                let isGranted = ["true": true, "false": false][request.queryValue("granted") ?? ""]
            else { return .refusal(400) }
            return .refusal(await menu.setGrant(capability, isGranted) ? 204 : 409)
        case Self.stopPath:
            // The answer goes out through the server that is stopped.
            Task { await menu.stop() }
            return .refusal(204)
        default: return .refusal(404)
        }
    }
}

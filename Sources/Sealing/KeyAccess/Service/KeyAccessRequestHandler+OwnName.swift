internal import Networking

/// Under which name a service is asked that answers anybody on its machine.
///
/// A page in this machine's browser may have a name that leads here (DNS rebinding). For the browser that page and this service
/// are then one, and the page may ask and read what anybody may. But the request says the page's name in `Host` and `Origin`.
extension KeyAccessRequestHandler {
    /// Refuses a request under a foreign name, if nobody has to say who they are.
    func checkOwnName(of request: HTTPRequest) throws(KeyAccessError) {
        guard configuration.policy.admitsAnybody else { return }
        let (hosts, origins) = (request.headers.values("host"), request.headers.values("origin"))
        guard hosts.count == 1, hosts.allSatisfy({ isOwn("http://" + $0) }), origins.allSatisfy(isOwn) else {
            throw KeyAccessError(
                .permissionDenied,
                "this service answers programs on its own machine, under 127.0.0.1, ::1 or localhost, and no pages")
        }
    }

    private func isOwn(_ text: String) -> Bool {
        guard !text.contains("@"), let url = try? ServerURL(text), url.path.isEmpty else { return false }
        let known = configuration.address.flatMap { try? ServerURL($0) }
        return LocalAddress(url.host)?.kind == .loopback || url.host.lowercased() == known?.host.lowercased()
    }
}

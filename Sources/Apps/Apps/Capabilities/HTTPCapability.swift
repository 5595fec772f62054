internal import Components
internal import HostFunctions
internal import Networking
internal import Wire

/// `w3n.http`, which is Alcove's own: requests to the places that the manifest names and the person granted.
enum HTTPCapability {
    static func object(_ subject: CapabilitySubject) -> ServiceObject {
        // Asked for each request, and anew for each redirect.
        let access = HTTPAccess(
            policy: HTTPPolicy { url in subject.access.permissions.addresses.decision(on: url) },
            trust: subject.platform.settings.trust, memory: subject.memory)
        return ServiceObject(functions: [
            "request": .promise { call async throws(RuntimeException) in
                guard subject.access.permissions.contains(.network) else {
                    throw denial(of: url(of: call), subject)
                }
                // The arguments as values take many times the memory of their text, and are let go of before there is anything to wait for.
                let request = try request([IPCValue](body: call.body))
                let response: HTTPAccess.Response
                do throws(HTTPAccessError) {
                    response = try await access.request(request)
                } catch {
                    if error.code == .notAllowed { throw denial(of: error.url, subject) }
                    throw error.exception
                }
                // An answer that comes after the grant was taken back is not for the app.
                try subject.access.check(.network)
                return [answer(response)].body
            }
        ])
    }

    private static func url(of call: ServiceCall) -> String {
        let arguments = try? [IPCValue](body: call.body)
        return (try? arguments?.argument(0, \.object))?["url"]?.string ?? ""
    }

    /// Says what would have to be granted, or asked for, to reach a site.
    private static func denial(of url: String, _ subject: CapabilitySubject) -> RuntimeException {
        let asked = (try? WebURL(url)).map(subject.requested.addresses.decision) ?? .denied
        let reason: String? =
            switch (asked, subject.access.permissions.contains(.network)) {
            case (.denied, _): "the manifest does not name this site; add it to connectToExternal and install again"
            case (.publicAddresses, true):
                "a manifest with anyDomain reaches the internet alone; name this host in connectToExternal to reach it here"
            case (.anyAddress, true), (_, false): nil
            }
        return subject.access.deny(.network, url, because: reason)
    }

    /// `request({method, url, headers?, body?: Uint8Array | string, timeout?: milliseconds})`
    private static func request(_ arguments: [IPCValue]) throws(RuntimeException) -> HTTPAccess.Request {
        let options = try arguments.argument(0, \.object)
        guard let url = options["url"]?.string else {
            throw RuntimeException(ipc: .invalidBody, ["message": "there is no url"])
        }
        var request = HTTPAccess.Request(options["method"]?.string?.uppercased() ?? "GET", url)
        for header in options["headers"]?.object?.members ?? [] {
            guard let value = header.value.string else { continue }
            request.headers.append(header.name, value)
        }
        request.body = arguments[0].bytes(at: "body") ?? options["body"]?.string.map { Array($0.utf8) }
        if case .number(let spelling) = options["timeout"], let milliseconds = Double(spelling), milliseconds > 0 {
            request.timeout = .milliseconds(min(milliseconds, 600_000))
        }
        return request
    }

    /// `{status, headers, body: Uint8Array, url}`; names of headers in lower case.
    private static func answer(_ response: HTTPAccess.Response) -> IPCValue {
        var headers: [(name: String, value: String)] = []
        for field in response.headers {
            let name = field.name.lowercased()
            if let at = headers.firstIndex(where: { $0.name == name }) {
                headers[at].value += ", " + field.value
            } else {
                headers.append((name, field.value))
            }
        }
        var object: JSONObject = [:]
        for header in headers { object.append(header.name, .string(header.value)) }
        return .json(
            .object([
                "status": .number(String(response.status)), "headers": .object(object), "body": .null,
                "url": .string(response.url),
            ]), [.init(["body"], .bytes(response.body))])
    }
}

package import Host
import Networking

/// What the page has of apps: the way to their windows, which have origins of their own, and their pictures.
package struct PageApps: Sendable {
    private let window: @Sendable (_ instance: String) async throws -> String
    private let picture: @Sendable (_ app: String) async throws -> AppPicture?

    /// - Parameters:
    ///   - window: the address of a window that runs, which lets one browser in, once; throws if there is none.
    ///   - picture: of an installed app.
    package init(
        window: @escaping @Sendable (_ instance: String) async throws -> String,
        picture: @escaping @Sendable (_ app: String) async throws -> AppPicture?
    ) {
        (self.window, self.picture) = (window, picture)
    }

    /// What a request wants of apps.
    enum Wish: Equatable {
        case window(String)
        case picture(String)
    }

    /// Only the page itself opens a window, in a window of the browser, and shows a picture, as one.
    static func wish(of request: HTTPRequest) -> Wish? {
        guard request.method == "GET", request.headers.values("sec-fetch-site").allSatisfy({ $0 == "same-origin" })
        else { return nil }
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, parts[0].isEmpty, (1...128).contains(parts[2].utf8.count) else { return nil }
        let kinds = request.headers.values("sec-fetch-dest")
        switch parts[1] {
        case "windows" where kinds.allSatisfy { $0 == "document" }:
            return parts[2].utf8.allSatisfy { (48...57).contains($0) } ? .window(parts[2]) : nil
        case "app-pictures" where kinds.allSatisfy { $0 == "image" }: return .picture(parts[2])
        default: return nil
        }
    }

    func response(to wish: Wish) async -> HTTPResponse {
        var headers = PagePolicy.fields
        switch wish {
        case .window(let instance):
            guard let address = try? await window(instance) else { return PagePolicy.noWindow }
            headers["location"] = address
            return HTTPResponse(status: 303, headers: headers)
        case .picture(let app):
            guard let found = try? await picture(app) else { return PagePolicy.unknown }
            headers["content-security-policy"] = "default-src 'none'; sandbox"
            headers["content-type"] = found.type
            // The page names the version beside it.
            headers["cache-control"] = "private, max-age=86400"
            return HTTPResponse(status: 200, headers: headers, body: found.bytes)
        }
    }
}

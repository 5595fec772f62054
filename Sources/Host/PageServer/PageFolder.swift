import Foundation
import Networking

/// The files of the page, read when the server starts: a request names one of them or nothing.
struct PageFolder: Sendable {
    private struct File {
        var bytes: [UInt8]
        var compressed: [UInt8]?
        var type: String
        /// Whether its name says what is in it, so that a browser may keep it.
        var isHashed: Bool
    }

    private let files: [String: File]

    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
        "svg": "image/svg+xml", "webmanifest": "application/manifest+json", "txt": "text/plain; charset=utf-8",
        "json": "application/json", "png": "image/png", "woff2": "font/woff2",
    ]

    /// `nil` if there is no page in the folder.
    init?(_ path: String) {
        var files: [String: File] = [:]
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
            guard let type = Self.types[URL(fileURLWithPath: name).pathExtension],
                let bytes = FileManager.default.contents(atPath: path + "/" + name)
            else { continue }
            files["/" + name] = File(
                bytes: Array(bytes),
                compressed: FileManager.default.contents(atPath: path + "/" + name + ".gz").map(Array.init), type: type,
                isHashed: name.contains("-") && !name.hasSuffix(".html"))
        }
        guard let start = files["/index.html"] else { return nil }
        files["/"] = start
        self.files = files
    }

    func response(to request: HTTPRequest) -> HTTPResponse? {
        guard let file = files[request.path] else { return nil }
        var headers = PagePolicy.fields
        headers["content-type"] = file.type
        headers["vary"] = "accept-encoding"
        if file.isHashed { headers["cache-control"] = "private, max-age=31536000, immutable" }
        let takesGzip = request.headers.values("accept-encoding").contains { $0.contains("gzip") }
        guard takesGzip, let compressed = file.compressed else {
            return HTTPResponse(status: 200, headers: headers, body: file.bytes)
        }
        headers["content-encoding"] = "gzip"
        return HTTPResponse(status: 200, headers: headers, body: compressed)
    }
}

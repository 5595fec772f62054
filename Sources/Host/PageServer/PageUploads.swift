import Foundation
import Networking

/// Files that a person gives the page: each is written to a place of its own beside what was received, and from there it is sent.
struct PageUploads: Sendable {
    /// Bytes of one file: what a room takes.
    static let limit = 4 << 30
    /// Files that come in at the same time.
    static let atOnce = 8

    let folder: String

    /// Takes a file in piece by piece. One that does not arrive whole leaves nothing.
    /// - Returns: where it is, as JSON.
    func take(_ content: IncomingContent) async -> HTTPResponse {
        let place = folder + "/" + UUID().uuidString
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            guard
                FileManager.default.createFile(atPath: place, contents: nil, attributes: [.posixPermissions: 0o600]),
                let file = FileHandle(forWritingAtPath: place)
            else { return PagePolicy.diskFull }
            defer { try? file.close() }
            for try await piece in content { try file.write(contentsOf: piece) }
            try file.synchronize()
        } catch {
            try? FileManager.default.removeItem(atPath: place)
            return error is NetworkingError ? PagePolicy.broken : PagePolicy.diskFull
        }
        let answer = (try? JSONEncoder().encode(["handle": place])) ?? Data()
        var headers = PagePolicy.fields
        headers["content-type"] = "application/json"
        return HTTPResponse(status: 201, headers: headers, body: Array(answer))
    }
}

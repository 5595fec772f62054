import Foundation
import Host
import Networking

/// Takes in the files that a person gives the page. What the page hears is an id, never where a file is.
struct PageUploads: Sendable {
    /// Bytes of one file: what a room takes.
    static let limit = 4 << 30
    /// Files that come in at the same time.
    static let atOnce = 8
    /// The field in which a page says whose the file is: its session, which no other page knows.
    static let session = "alcove-session"

    let uploads: ClientUploads

    /// Takes a file in piece by piece. One that does not arrive whole leaves nothing.
    /// - Returns: its id, as JSON.
    func take(_ content: IncomingContent, of session: String) async -> HTTPResponse {
        do {
            let (id, path) = try uploads.begin(for: session)
            do {
                try await write(content, of: id, to: path)
                try uploads.finish(id)
            } catch {
                uploads.drop(id)
                throw error
            }
            var headers = PagePolicy.fields
            headers["content-type"] = "application/json"
            return HTTPResponse(status: 201, headers: headers, body: Array("{\"id\":\"\(id)\"}".utf8))
        } catch {
            return refusal(for: error)
        }
    }

    private func write(_ content: IncomingContent, of id: String, to path: String) async throws {
        guard
            FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
            let file = FileHandle(forWritingAtPath: path)
        else { throw CocoaError(.fileWriteUnknown) }
        defer { try? file.close() }
        for try await piece in content {
            try uploads.grow(id, by: piece.count)
            try file.write(contentsOf: piece)
        }
        try file.synchronize()
    }

    private func refusal(for error: any Error) -> HTTPResponse {
        switch error {
        case is NetworkingError: PagePolicy.broken
        case ClientUploads.Refusal.unknownClient: PagePolicy.unknownPage
        case ClientUploads.Refusal.full: PagePolicy.tooMuchWaits
        default: PagePolicy.diskFull
        }
    }
}

import Foundation
import Host
import Networking
import Storage
import Synchronization
import WebFiles

/// Takes in the files that a person gives the page. What the page hears is an id, never where a file is.
///
/// An upload that breaks off goes on where it was, also at the next process: see ``WebFiles/UploadEndpoint``.
final class PageUploads: Sendable {
    /// Files that come in at the same time.
    static let atOnce = 8
    /// The field in which a page says whose the file is: its session, which no other page knows.
    static let session = "alcove-session"
    static let path = "/files"

    static let limits: UploadStore.Limits = {
        var limits = UploadStore.Limits()
        // What a room takes.
        limits.size = 4 << 30
        // Pages bring one file after the other.
        limits.count = 16
        // A page that is gone left some, and nobody else knows their names.
        limits.replacesOldest = true
        // What came in whole waits in this process alone.
        limits.remembersComplete = false
        return limits
    }()

    private let uploads: ClientUploads
    private let state = Mutex(State())

    private struct State {
        /// Nil until the first file comes: most pages bring none.
        var store: UploadStore?
        var count = 0
    }

    /// Whether the profile is locked: then nobody gives anything.
    private let isLocked: @Sendable () async -> Bool

    init(_ uploads: ClientUploads, isLocked: @escaping @Sendable () async -> Bool) {
        (self.uploads, self.isLocked) = (uploads, isLocked)
        // What broke off too long ago goes now, and not with the next file.
        if FileManager.default.fileExists(atPath: uploads.arriving) { _ = opened() }
    }

    /// Whether a request is about a file that comes in.
    static func concerns(_ request: HTTPRequest) -> Bool {
        switch request.method {
        case "POST", "PATCH", "DELETE": request.path == path || request.path.hasPrefix(path + "/")
        // Two steps are a file of a message.
        case "HEAD": request.path.hasPrefix(path + "/") && request.path.count { $0 == "/" } == 2
        default: false
        }
    }

    /// What to do with a request of a page that was let in.
    func plan(for request: HTTPRequest) -> RequestPlan {
        let session = request.headers[Self.session] ?? ""
        let brings = ["POST", "PATCH"].contains(request.method)
        guard !brings || uploads.admits(session) else { return .refuse(PagePolicy.unknownPage) }
        guard !brings || uploads.hasRoom(for: session) else { return .refuse(PagePolicy.tooMuchWaits) }
        guard let store = opened() else { return .refuse(PagePolicy.diskFull) }
        let endpoint = UploadEndpoint(store, path: Self.path) { [self] in take($0, of: session) }
        guard case .stream(let limit, let work)? = endpoint.plan(for: request) else {
            return .refuse(PagePolicy.unknown)
        }
        return .stream(limit: limit) { [self] content in
            guard brings else { return Self.explained(await work(content)) }
            guard await !isLocked() else { return PagePolicy.locked }
            guard enter() else { return PagePolicy.tooManyFiles }
            defer { state.withLock { $0.count -= 1 } }
            return Self.explained(await work(content))
        }
    }

    private func enter() -> Bool {
        state.withLock { state in
            guard state.count < Self.atOnce else { return false }
            state.count += 1
            return true
        }
    }

    /// The folder goes when everything is erased, and comes again with the next file.
    private func opened() -> UploadStore? {
        state.withLock { state in
            if let store = state.store, (try? Folder(uploads.arriving)) != nil { return store }
            state.store = nil
            let path = uploads.arriving
            try? FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            guard let folder = try? Folder(path) else { return nil }
            state.store = try? UploadStore(folder, limits: Self.limits)
            return state.store
        }
    }

    private func take(_ upload: FinishedUpload, of session: String) -> HTTPResponse {
        do {
            try uploads.take(upload.id, bytes: Int64(upload.length), of: session) { folder, name in
                try upload.move(to: Folder(folder), as: name)
            }
        } catch ClientUploads.Refusal.unknownClient {
            return PagePolicy.unknownPage
        } catch ClientUploads.Refusal.full {
            return PagePolicy.tooMuchWaits
        } catch {
            return PagePolicy.diskFull
        }
        return HTTPResponse(
            status: 201, headers: ["content-type": "application/json"], body: Array("{\"id\":\"\(upload.id)\"}".utf8))
    }

    /// The answer with a sentence for a person, and with the fields of every answer.
    private static func explained(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        for (name, value) in PagePolicy.fields where response.headers[name] == nil { response.headers[name] = value }
        guard response.body.isEmpty else { return response }
        let sentence: HTTPResponse? =
            switch response.status {
            case 429: PagePolicy.tooManyFiles
            case 413: PagePolicy.tooLarge
            case 500, 507: PagePolicy.diskFull
            default: nil
            }
        if let sentence { response.body = sentence.body }
        return response
    }
}

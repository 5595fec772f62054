import Foundation
import Networking
import Platform
import ProgramRunner
import Storage
import Synchronization
import Testing
import WebFiles

/// Serves the files of a folder and takes uploads into it, for a test.
final class FileServer: HTTPServerHandler {
    let folder: Folder
    let path: String
    let uploads: UploadEndpoint
    /// The most bytes that the server held when somebody looked.
    let most = Atomic<Int>(0)
    /// How often somebody looked.
    let looks = Atomic<Int>(0)

    private init(_ path: String, _ limits: UploadStore.Limits, _ now: @escaping @Sendable () -> HTTPDate) throws {
        self.path = path
        let folder = try Folder(path)
        self.folder = folder
        let store = try UploadStore(Folder.making(path + "/uploads"), limits: limits, now: now)
        uploads = UploadEndpoint(store, path: "/uploads") { upload in
            do throws(FileError) {
                try upload.move(to: folder, as: "whole")
                return HTTPResponse(status: 200, body: Array("took \(upload.length) \(upload.about)".utf8))
            } catch {
                return HTTPResponse(status: error.code == .alreadyExists ? 422 : 500)
            }
        }
    }

    func plan(for request: HTTPRequest, from peer: PeerAddress) -> RequestPlan {
        uploads.plan(for: request, about: request.headers["x-about"] ?? "") ?? .whole
    }

    func handle(_ request: HTTPRequest, from peer: PeerAddress, responder: HTTPResponder) {
        let name = String(request.path.dropFirst())
        guard let file = try? folder.open(name), let found = try? WebFile(file, headers: ["content-type": "video/mp4"])
        else { return responder.respond(HTTPResponse(status: 404)) }
        responder.respond(found.response(to: request))
    }

    /// Runs a test with a server and a folder of its own.
    static func run(
        in path: String? = nil, limits: UploadStore.Limits = .init(),
        now: @escaping @Sendable () -> HTTPDate = { .now },
        configuration: HTTPServerConfiguration = HTTPServerConfiguration(),
        _ body: (FileServer, ServerURL, HTTPServer) async throws -> Void
    ) async throws {
        let own = NSTemporaryDirectory() + "alcove-web-\(UUID().uuidString)"
        let path = path ?? own
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: own) }
        let handler = try FileServer(path, limits, now)
        let server = HTTPServer(configuration: configuration, handler: handler)
        let url = ServerURL(host: "127.0.0.1", port: try await server.start())
        let result: Result<Void, any Error>
        do { result = .success(try await body(handler, url, server)) } catch { result = .failure(error) }
        await server.stop()
        try result.get()
    }

    /// Watches how much the server holds while `body` runs.
    func watching<Value>(_ server: HTTPServer, _ body: () async throws -> Value) async throws -> Value {
        let watch = Task {
            while !Task.isCancelled {
                most.max(server.heldBytes, ordering: .relaxed)
                looks.add(1, ordering: .relaxed)
                try await Task.sleep(for: .milliseconds(1))
            }
        }
        defer { watch.cancel() }
        return try await body()
    }

    func write(_ bytes: [UInt8], to name: String) throws { try folder.write(bytes, to: name) }
    func read(_ name: String) throws -> [UInt8] { try folder.read(name, atMost: 1 << 30) }
}

/// Bytes that differ from place to place.
func pattern(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) } }

/// Runs curl; what it prints.
func curl(_ words: String...) async throws -> (status: Int32, output: String) {
    let result = try await Program.completion(of: ["curl", "--silent", "--show-error"] + words, keepsErrors: false)
    return (result.status, result.output)
}

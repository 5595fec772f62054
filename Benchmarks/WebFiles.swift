import Foundation
import Networking
import Storage
import WebFiles

/// Serves the files of a folder, and takes uploads that it throws away.
private struct Files: HTTPServerHandler {
    let folder: Folder
    let uploads: UploadEndpoint

    func plan(for request: HTTPRequest, from peer: PeerAddress) -> RequestPlan { uploads.plan(for: request) ?? .whole }

    func handle(_ request: HTTPRequest, from peer: PeerAddress, responder: HTTPResponder) {
        guard let file = try? WebFile(folder.open(String(request.path.dropFirst()))) else {
            return responder.respond(HTTPResponse(status: 404))
        }
        responder.respond(file.response(to: request))
    }
}

extension Suite {
    static let webFiles = Suite(
        name: "web-files", about: "a file of 256 MB over HTTP, out and in, beside nginx; slow readers"
    ) { recorder in
        let folder = try FileFolder()
        defer { folder.remove() }
        let server = try ServerProcess("--serve-web-files", folder.path)
        defer { server.stop() }
        try await transfer("", server.port, "uploads", "POST", folder, recorder)
        try await measureSlowReaders(server, recorder)
        if let nginx = try Nginx(folder.path) {
            defer { nginx.stop() }
            try await transfer("nginx: ", nginx.port, "put/copy", "PUT", folder, recorder)
        } else {
            print("  (nginx is not installed)")
        }
    }

    @Sendable static func serveWebFiles() async throws -> Int {
        let folder = try Folder(CommandLine.arguments[2])
        let store = try UploadStore(Folder.making(folder.path + "/uploads"))
        let uploads = UploadEndpoint(store, path: "/uploads") { _ in HTTPResponse(status: 200) }
        let server = HTTPServer(
            configuration: HTTPServerConfiguration(), handler: Files(folder: folder, uploads: uploads))
        return try await server.start()
    }

    private static let megabytes = 256.0

    /// Both servers are measured with curl, because it is the same client then.
    private static func transfer(
        _ who: String, _ port: Int, _ place: String, _ method: String, _ folder: FileFolder, _ recorder: Recorder
    ) async throws {
        let url = "http://127.0.0.1:\(port)"
        let out = ["--output", "/dev/null", "\(url)/film"]
        let into = [
            "--output", "/dev/null", "--request", method, "--upload-file", folder.path + "/film", "\(url)/\(place)",
        ]
        for (name, words) in [("out", out), ("in, on the disk", into)] {
            var rates: [Double] = []
            for _ in 0..<6 {
                let time = try ContinuousClock().measure { try curl(words) }
                rates.append(megabytes / seconds(time))
            }
            await recorder.record("\(who)256 MB \(name)", Array(rates.dropFirst()), unit: "MB/s", better: .higher)
        }
    }

    private static func curl(_ words: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
        process.arguments = ["--silent", "--show-error", "--fail"] + words
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw LoadSocket.Failure(description: "curl failed: \(words.last ?? "")")
        }
    }

    /// Each has asked for the whole file and reads nothing.
    private static func measureSlowReaders(_ server: ServerProcess, _ recorder: Recorder) async throws {
        let before = server.residentBytes
        let sockets = try (0..<1000).map { _ in try LoadSocket(port: server.port) }
        for socket in sockets { try socket.send(LoadSocket.request("GET", "/film", "")) }
        // Until nothing more is read from the disk.
        var (last, now) = (0, before)
        while last != now {
            try await Task.sleep(for: .seconds(1))
            (last, now) = (now, server.residentBytes)
        }
        await recorder.record(
            "memory of a reader that reads nothing, of 1000", Double(now - before) / 1000 / 1024, unit: "KiB",
            better: .lower, aim: 256)
        withExtendedLifetime(sockets) {}
    }
}

/// A folder with the file that is sent.
private struct FileFolder {
    let path = NSTemporaryDirectory() + "alcove-benchmark-\(UUID().uuidString)"

    init() throws {
        try FileManager.default.createDirectory(atPath: path + "/put", withIntermediateDirectories: true)
        var random = SystemRandomNumberGenerator()
        let piece = (0..<1 << 17).map { _ in random.next() as UInt64 }
        let bytes = piece.withUnsafeBytes { Data($0) }
        _ = FileManager.default.createFile(atPath: path + "/film", contents: nil)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path + "/film"))
        for _ in 0..<244 { try file.write(contentsOf: bytes) }
        try file.write(contentsOf: bytes.prefix(256_000_000 - 244 * bytes.count))
        try file.close()
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}

/// nginx over the same folder, if it is installed.
private struct Nginx {
    let port: Int
    private let process = Process()

    init?(_ folder: String) throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/sbin/nginx") else { return nil }
        port = Int.random(in: 20_000..<30_000)
        let configuration = """
            daemon off; user \(NSUserName()); pid \(folder)/nginx.pid; error_log \(folder)/nginx.log;
            events { worker_connections 2048; }
            http {
              access_log off; sendfile on; client_max_body_size 0; client_body_temp_path \(folder)/body;
              proxy_temp_path \(folder)/proxy; fastcgi_temp_path \(folder)/fastcgi; uwsgi_temp_path \(folder)/uwsgi;
              scgi_temp_path \(folder)/scgi;
              server { listen 127.0.0.1:\(port); root \(folder); location /put { dav_methods PUT; } }
            }
            """
        try configuration.write(toFile: folder + "/nginx.conf", atomically: true, encoding: .utf8)
        process.executableURL = URL(fileURLWithPath: "/usr/sbin/nginx")
        process.arguments = ["-c", folder + "/nginx.conf", "-e", folder + "/nginx.log"]
        try process.run()
        for _ in 0..<500 {
            if (try? LoadSocket(port: port)) != nil { return }
            usleep(10_000)
        }
        stop()
        return nil
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }
}

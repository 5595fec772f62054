import Foundation
import Networking
import Platform
import ProgramRunner
import Storage
import Synchronization
import Testing
import WebFiles

/// A client of resumable uploads.
private struct Uploader {
    let url: ServerURL

    func send(
        _ method: String, _ path: String, _ body: [UInt8] = [], _ headers: HTTPFields = [:]
    ) async throws -> HTTPResponse {
        try await HTTPClient().send(
            HTTPRequest(method: method, path: path, headers: headers, body: body), to: url, timeout: .seconds(200))
    }

    func create(_ body: [UInt8] = [], _ headers: HTTPFields = [:]) async throws -> String {
        var headers = headers
        headers["upload-complete"] = "?0"
        let answer = try await send("POST", "/uploads", body, headers)
        #expect(answer.status == 201)
        return try #require(answer.headers["location"])
    }

    func append(
        _ path: String, at offset: Int, _ body: [UInt8], completes: Bool = false
    ) async throws -> HTTPResponse {
        try await send(
            "PATCH", path, body,
            [
                "upload-offset": "\(offset)", "upload-complete": completes ? "?1" : "?0",
                "content-type": "application/partial-upload",
            ])
    }

    func offset(_ path: String) async throws -> Int? {
        try await send("HEAD", path).headers["upload-offset"].flatMap(Int.init)
    }
}

/// Uploads that resume (draft-ietf-httpbis-resumable-upload).
@Suite(.timeLimit(.minutes(5))) struct UploadTests {
    @Test func aWholeUploadInParts() async throws {
        try await FileServer.run { files, url, _ in
            let client = Uploader(url: url)
            let bytes = pattern(300_000)
            let path = try await client.create(Array(bytes[..<10]), ["upload-length": "300000", "x-about": "holiday"])
            let head = try await client.send("HEAD", path)
            #expect(head.status == 204 && head.headers["upload-length"] == "300000")
            #expect(head.headers["upload-offset"] == "10" && head.headers["upload-complete"] == "?0")
            #expect(
                head.headers["cache-control"] == "no-store"
                    && head.headers["upload-limit"]?.contains("max-size=") == true)
            let part = try await client.append(path, at: 10, Array(bytes[10..<200_000]))
            #expect(part.status == 204 && part.headers["upload-complete"] == "?0")
            let last = try await client.append(path, at: 200_000, Array(bytes[200_000...]), completes: true)
            #expect(last.status == 200 && last.headers["upload-complete"] == "?1")
            #expect(last.body == Array("took 300000 holiday".utf8))
            #expect(try files.read("whole") == bytes)
            // A client that missed the answer can still ask.
            let after = try await client.send("HEAD", path)
            #expect(after.headers["upload-complete"] == "?1" && after.headers["upload-offset"] == "300000")
            #expect(try await client.append(path, at: 300_000, [1]).status == 400)
            #expect(try await client.append(path, at: 300_000, [], completes: true).status == 410)
        }
    }

    /// Also while it waits, nobody else reads what it is and what it is called.
    @Test func onlyItsOwnerReadsAnUpload() async throws {
        try await FileServer.run { files, url, _ in
            let client = Uploader(url: url)
            let path = try await client.create([1], ["x-about": "holiday"])
            _ = try await client.append(path, at: 1, [2])
            let folder = files.path + "/uploads"
            let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix(".") }
            #expect(Set(names.compactMap { $0.split(separator: ".").last }).isSuperset(of: ["part", "info"]))
            for name in names where name.hasSuffix(".part") || name.hasSuffix(".info") {
                let mode = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)[.posixPermissions]
                #expect(mode as? Int == 0o600, "\(name)")
            }
        }
    }

    @Test func whatIsWrongIsRefusedAndChangesNothing() async throws {
        try await FileServer.run { _, url, _ in
            let client = Uploader(url: url)
            let path = try await client.create([1, 2, 3], ["upload-length": "6"])
            let wrong = try await client.append(path, at: 2, [3, 4])
            #expect(wrong.status == 409 && wrong.headers["upload-offset"] == "3")
            #expect(wrong.headers["content-type"] == "application/problem+json")
            #expect(String(decoding: wrong.body, as: UTF8.self).contains("#mismatching-upload-offset"))
            #expect(try await client.append(path, at: 3, [4, 5, 6, 7]).status == 400)
            #expect(try await client.append(path, at: 3, [4], completes: true).status == 400)
            let headers: HTTPFields = ["upload-offset": "3", "upload-complete": "?0"]
            #expect(try await client.send("PATCH", path, [4], headers).status == 415)
            #expect(try await client.send("PUT", path, [4]).status == 405)
            #expect(try await client.offset(path) == 3)
            for missing in ["/uploads/x", "/uploads/../film", "/uploads/" + String(repeating: "0", count: 32)] {
                #expect(try await client.send("HEAD", missing).status == 404)
                #expect(try await client.append(missing, at: 0, [1]).status == 404)
            }
            #expect(try await client.send("DELETE", path).status == 204)
            #expect(try await client.send("HEAD", path).status == 404)
            let options = try await client.send("OPTIONS", "/uploads")
            #expect(options.headers["accept-patch"] == "application/partial-upload")
        }
    }

    @Test func limitsHold() async throws {
        var limits = UploadStore.Limits()
        (limits.count, limits.size, limits.age) = (2, 1000, .seconds(100))
        let now = Atomic<Int>(HTTPDate.now.seconds)
        try await FileServer.run(limits: limits, now: { HTTPDate(seconds: now.load(ordering: .relaxed)) }) {
            files, url, _ in
            let client = Uploader(url: url)
            let big = try await client.send("POST", "/uploads", pattern(1001), ["upload-complete": "?1"])
            #expect(big.status == 413 && big.headers["upload-limit"] == "max-size=1000, max-age=100")
            #expect(
                try await client.send("POST", "/uploads", [], ["upload-complete": "?0", "upload-length": "1001"]).status
                    == 413)
            let first = try await client.create([1])
            let second = try await client.create(pattern(900))
            #expect(try await client.append(second, at: 900, pattern(101)).status == 413)
            #expect(try await client.send("POST", "/uploads", [], ["upload-complete": "?0"]).status == 429)
            now.add(200, ordering: .relaxed)
            _ = try await client.create([1])
            for old in [first, second] { #expect(try await client.send("HEAD", old).status == 404) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: files.path + "/uploads").count == 2)
        }
    }

    /// Of two requests that write at once, one wins. Who asks for the offset ends the one that hangs.
    @Test func oneWritesAtATime() async throws {
        try await FileServer.run { _, url, _ in
            let client = Uploader(url: url)
            let path = try await client.create(pattern(10))
            let hanging = try HangingRequest(
                port: url.port,
                "PATCH \(path) HTTP/1.1\r\nupload-offset: 10\r\nupload-complete: ?0\r\ncontent-length: 100\r\n"
                    + "content-type: application/partial-upload\r\n\r\nabc")
            var second = try await client.append(path, at: 10, [1])
            while second.status == 204 {
                // The hanging request was not there yet.
                let offset = try #require(try await client.offset(path))
                second = try await client.append(path, at: offset, [1])
            }
            #expect(second.status == 409)
            let offset = try #require(try await client.offset(path))
            #expect(try await client.append(path, at: offset, [9], completes: true).status == 200)
            withExtendedLifetime(hanging) {}
        }
    }

    @Test func whatCameBeforeTheConnectionBrokeIsKept() async throws {
        try await FileServer.run { files, url, server in
            let client = Uploader(url: url)
            let path = try await client.create()
            let part = files.path + path + ".part"
            let hanging = try HangingRequest(
                port: url.port,
                "PATCH \(path) HTTP/1.1\r\nupload-offset: 0\r\nupload-complete: ?1\r\ncontent-length: 100\r\n"
                    + "content-type: application/partial-upload\r\n\r\nabc")
            try await until { try FileManager.default.attributesOfItem(atPath: part)[.size] as? Int == 3 }
            hanging.end()
            try await until { server.connectionCount == 0 }
            #expect(try await client.offset(path) == 3)
        }
    }

    @Test(.enabled(if: SmallDisk.isAvailable)) func aFullDiskIsToldAndNothingIsLost() async throws {
        let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appending(
            path: "alcove-web-disk-\(UUID().uuidString)")
        try await SmallDisk.at(folder, kilobytes: 1024) { disk in
            try await FileServer.run(in: folder.path) { files, url, _ in
                let client = Uploader(url: url)
                let bytes = pattern(500_000)
                let path = try await client.create(Array(bytes[..<100_000]), ["upload-length": "500000"])
                try disk.fill()
                let full = try await client.append(path, at: 100_000, Array(bytes[100_000...]), completes: true)
                #expect(full.status == 507)
                let offset = try #require(try await client.offset(path))
                #expect(offset >= 100_000 && full.headers["upload-offset"] == "\(offset)")
                let refused = try await client.send("POST", "/uploads", [], ["upload-complete": "?0"])
                #expect(refused.status == 507 && refused.headers["upload-offset"] == nil)
                try disk.makeRoom()
                #expect(
                    try await client.append(path, at: offset, Array(bytes[offset...]), completes: true).status == 200)
                #expect(try files.read("whole") == bytes)
            }
        }
    }

    /// A server is killed again and again in the middle of an upload. What it said to have, it has.
    @Test func resumesAfterAKill() async throws {
        let path = NSTemporaryDirectory() + "alcove-web-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let bytes = pattern(8 << 20)
        var place: String?
        var told = 0
        for round in 0..<6 {
            let server = try KilledServer(path)
            let client = Uploader(url: ServerURL(host: "127.0.0.1", port: server.port))
            if place == nil { place = try await client.create([], ["upload-length": "\(bytes.count)"]) }
            let upload = try #require(place)
            let offset = try #require(try await client.offset(upload))
            #expect(offset >= told)
            let isLast = round == 5
            let piece = Array(bytes[offset..<(isLast ? bytes.count : min(bytes.count, offset + 600_000))])
            let first = try await client.append(upload, at: offset, piece, completes: isLast)
            #expect(first.status == (isLast ? 200 : 204))
            guard !isLast else { break }
            told = offset + piece.count
            // This one is cut short.
            let cut = Task { [told] in
                _ = try? await client.append(upload, at: told, Array(bytes[told...].prefix(700_000)))
            }
            try await Task.sleep(for: .milliseconds(round * 3))
            server.kill()
            await cut.value
        }
        #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: path + "/whole"))) == bytes)
    }

    @Test func twoProcessesDoNotShareAFolder() async throws {
        try await FileServer.run { files, _, _ in
            #expect(throws: FileError.self) { try UploadStore(Folder(files.path + "/uploads")) }
        }
    }
}

/// Waits for a condition that must become true soon.
private func until(_ condition: () throws -> Bool) async throws {
    for _ in 0..<2000 {
        if try condition() { return }
        try await Task.sleep(for: .milliseconds(5))
    }
    Issue.record("did not come true within ten seconds")
}

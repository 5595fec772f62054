import Foundation
import Networking
import ProgramRunner
import Storage
import Synchronization
import Testing
import WebFiles

/// Files as curl and Python get them.
@Suite(.timeLimit(.minutes(5))) struct WebFileTests {
    @Test(
        arguments: [
            (["--range", "0-9"], 0..<10), (["--range", "-5"], 299_995..<300_000),
            (["--range", "299990-"], 299_990..<300_000),
            ([], 0..<300_000), (["--range", "0-1,5-6"], 0..<300_000), (["--http1.0"], 0..<300_000),
            (["--range", "100-199", "--header", "if-range: \"other\""], 0..<300_000),
        ] as [([String], Range<Int>)])
    func curlGetsAPart(words: [String], range: Range<Int>) async throws {
        try await FileServer.run { files, url, _ in
            let bytes = pattern(300_000)
            try files.write(bytes, to: "film")
            let target = files.path + "/got"
            let result = try await Program.completion(
                of: ["curl", "--silent", "--show-error", "--output", target] + words + ["\(url)/film"])
            #expect(result.status == 0, "\(result.output)")
            #expect(try files.read("got") == Array(bytes[range]))
        }
    }

    @Test func curlResumesAndAsksForNews() async throws {
        try await FileServer.run { files, url, _ in
            let bytes = pattern(200_000)
            try files.write(bytes, to: "film")
            try files.write(Array(bytes[..<70_000]), to: "got")
            let resumed = try await curl(
                "-C", "-", "--output", files.path + "/got", "--write-out", "%{http_code}", "\(url)/film")
            #expect(resumed == (0, "206"))
            #expect(try files.read("got") == bytes)
            let tag = files.path + "/tag"
            for code in ["200", "304"] {
                let asked = try await curl(
                    "--etag-save", tag, "--etag-compare", tag, "--output", "/dev/null", "--write-out", "%{http_code}",
                    "\(url)/film")
                #expect(asked == (0, code))
            }
            let head = try await curl("--head", "\(url)/film")
            #expect(
                head.output.contains("content-length: 200000\r\n") && head.output.contains("accept-ranges: bytes\r\n"))
            let beyond = try await curl("--include", "--range", "200000-", "\(url)/film")
            #expect(beyond.output.contains("416 Range Not Satisfiable"))
            #expect(beyond.output.contains("content-range: bytes */200000\r\n"))
            // Another file under the name is another version.
            try files.write(pattern(10), to: "film")
            let changed = try await curl(
                "--etag-compare", tag, "--write-out", "%{http_code}", "--output", "/dev/null", "\(url)/film")
            #expect(changed == (0, "200"))
        }
    }

    @Test func aFileThatShrinksWhileItIsSentEndsTheConnection() async throws {
        try await FileServer.run { files, url, _ in
            let file = try FileDescriptor.zeros(files.path + "/film", count: 64 << 20)
            let download = try await HTTPClient().open(HTTPRequest(path: "/film"), to: url, limit: 100 << 20)
            try file.truncate(to: 1000)
            await #expect(throws: NetworkingError.self) { for try await _ in download {} }
        }
    }

    /// 500 MiB go out and in; the server holds a piece of them.
    @Test func aLargeFileIsNeverInMemory() async throws {
        try await FileServer.run { files, url, server in
            _ = try FileDescriptor.zeros(files.path + "/film", count: 500 << 20)
            let down = try await files.watching(server) {
                try await curl("--output", "/dev/null", "--write-out", "%{size_download}", "\(url)/film")
            }
            #expect(down == (0, "\(500 << 20)"))
            let up = try await files.watching(server) {
                try await curl("--request", "POST", "--upload-file", files.path + "/film", "\(url)/uploads")
            }
            #expect(up.output == "took \(500 << 20) ")
            #expect(try files.folder.status(of: "whole")?.size == 500 << 20)
            #expect(files.looks.load(ordering: .relaxed) > 0)
            #expect(files.most.load(ordering: .relaxed) <= 256 * 1024)
        }
    }

    @Test func aSlowReaderGetsAll() async throws {
        try await FileServer.run { files, url, server in
            let bytes = pattern(3_000_000)
            try files.write(bytes, to: "film")
            let slow = try await files.watching(server) {
                try await curl("--limit-rate", "2M", "--output", files.path + "/got", "\(url)/film")
            }
            #expect(slow.status == 0)
            #expect(try files.read("got") == bytes)
            #expect(files.most.load(ordering: .relaxed) <= 256 * 1024)
        }
    }

    @Test func pythonReadsAndWrites() async throws {
        try await FileServer.run { files, url, _ in
            try files.write(pattern(100_000), to: "film")
            let script = """
                import http.client, hashlib
                c = http.client.HTTPConnection("127.0.0.1", \(url.port))
                c.request("GET", "/film", headers={"Range": "bytes=1000-1999"})
                r = c.getresponse(); part = r.read(); print(r.status, len(part), r.getheader("Content-Range"))
                c.request("HEAD", "/film"); r = c.getresponse(); r.read(); print(r.status, r.getheader("Content-Length"))
                c.request("POST", "/uploads", body=iter([part] * 500), headers={"X-About": "from Python"}, encode_chunked=True)
                r = c.getresponse(); print(r.status, r.read().decode())
                c.request("GET", "/whole"); print(len(c.getresponse().read()))
                """
            let result = try await Program.completion(of: ["/usr/bin/python3", "-c", script])
            #expect(
                result.output == "206 1000 bytes 1000-1999/100000\n200 100000\n200 took 500000 from Python\n500000\n")
        }
    }

    @Test func curlWaitsToBeAsked() async throws {
        try await FileServer.run { files, url, _ in
            try files.write(pattern(3_000_000), to: "film")
            // Without an answer to its question, curl would wait for ten minutes.
            let accepted = try await curl(
                "--expect100-timeout", "600", "--header", "expect: 100-continue", "--upload-file", files.path + "/film",
                "--request", "POST", "\(url)/uploads")
            #expect(accepted.output == "took 3000000 ")
            let refused = try await curl(
                "--expect100-timeout", "600", "--header", "expect: 100-continue", "--header", "upload-length: 5",
                "--upload-file",
                files.path + "/film", "--request", "POST", "--write-out", "%{http_code} %{size_upload}",
                "\(url)/uploads")
            #expect(refused.output.hasSuffix("400 0"))
        }
    }
}

extension FileDescriptor {
    /// A file of zeros that takes no room.
    fileprivate static func zeros(_ path: String, count: Int64) throws -> FileDescriptor {
        let url = URL(fileURLWithPath: path)
        let file = try Folder(url.deletingLastPathComponent().path).openForLocking(url.lastPathComponent)
        try file.truncate(to: count)
        return file
    }
}

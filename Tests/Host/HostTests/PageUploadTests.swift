import AppCore
import Foundation
import Testing

@testable import Host
@testable import PageServer

/// Files that come in piece by piece, and go on where they broke off.
@Suite(.serialized, .timeLimit(.minutes(5))) struct PageUploadTests {
    /// A page with an upload of ten bytes.
    private struct Visit {
        var served: ServedPage
        let cookie: String
        let session: String
        let path: String

        init(_ served: ServedPage) async throws {
            self.served = served
            cookie = try await served.enter()
            session = try await PageChannel().greet(served.profile.server)
            let fields = ["content-length: 0", "upload-complete: ?0", "upload-length: 10"]
            let answer = try await Self.ask(served, "POST", "/files", cookie, session, fields)
            #expect(answer.hasPrefix("HTTP/1.1 201"), "\(answer)")
            path = try #require(Self.field("location", in: answer))
        }

        static func ask(
            _ served: ServedPage, _ method: String, _ path: String, _ cookie: String, _ session: String,
            _ fields: [String], _ body: String = "", breaksOff: Bool = false
        ) async throws -> String {
            let common = [
                "host: \(served.host)", "cookie: \(cookie)", "origin: http://\(served.host)", "connection: close",
                "alcove-session: \(session)",
            ]
            return try await served.ask(method, path, common + fields, body: body, breaksOff: breaksOff)
        }

        func ask(_ method: String, _ fields: [String] = [], session: String? = nil) async throws -> String {
            try await Self.ask(served, method, path, cookie, session ?? self.session, fields)
        }

        /// - Parameter length: what is said, if it is more than what comes before the connection ends.
        func append(
            _ body: String, at offset: Int, length: Int? = nil, session: String? = nil
        ) async throws -> String {
            let fields = [
                "content-type: application/partial-upload", "upload-offset: \(offset)", "upload-complete: ?1",
                "content-length: \(length ?? body.utf8.count)",
            ]
            return try await Self.ask(
                served, "PATCH", path, cookie, session ?? self.session, fields, body, breaksOff: length != nil)
        }

        /// Sends the beginning. To ask how far it is ends a request that is still read, so that may take more than one attempt.
        func breakOff(after beginning: String) async throws {
            try await served.profile.place.until("the beginning to be kept") {
                _ = try await append(beginning, at: 0, length: 10)
                try await Task.sleep(for: .milliseconds(100))
                return try await offset() == "\(beginning.utf8.count)"
            }
        }

        func offset() async throws -> String? { Self.field("upload-offset", in: try await ask("HEAD")) }

        static func field(_ name: String, in answer: String) -> String? {
            answer.components(separatedBy: "\r\n").first { $0.hasPrefix(name + ": ") }
                .map { String($0.dropFirst(name.count + 2)) }
        }

        /// What came in whole.
        var given: String? {
            try? String(contentsOfFile: waiting + "/" + path.dropFirst("/files/".count), encoding: .utf8)
        }
        var waiting: String { served.profile.place.file("Files/Sent/Waiting") }
    }

    private static func with(_ body: (Visit) async throws -> Void) async throws {
        try await ServedPage.with { try await body(Visit($0)) }
    }

    @Test func whatBrokeOffGoesOnWhereItWas() async throws {
        try await Self.with { (visit) async throws in
            try await visit.breakOff(after: "01234")
            #expect(try await visit.append("0123456789", at: 0).hasPrefix("HTTP/1.1 409"))
            #expect(visit.given == nil)
            #expect(try await visit.append("56789", at: 5).hasPrefix("HTTP/1.1 201"))
            #expect(visit.given == "0123456789")
            let state = try await visit.ask("HEAD")
            #expect(Visit.field("upload-complete", in: state) == "?1")
        }
    }

    /// What had come survives the end of who took it in.
    @Test func anotherProcessGoesOn() async throws {
        try await Self.with { (visit) async throws in
            try await visit.breakOff(after: "0123")
            let next = try await visit.served.restarted()
            var later = visit
            later.served = next
            try await next.profile.place.until("the upload to be there again") { try await later.offset() == "4" }
            #expect(try await later.append("456789", at: 4).hasPrefix("HTTP/1.1 201"))
            #expect(later.given == "0123456789")
            await next.page.stop()
        }
    }

    @Test func aFileOfAPageThatIsGoneIsNotTaken() async throws {
        try await Self.with { (visit) async throws in
            #expect(try await visit.append("0123456789", at: 0, session: "none").hasPrefix("HTTP/1.1 403"))
            #expect(visit.given == nil)
        }
    }

    @Test func whatIsGivenUpGoes() async throws {
        try await Self.with { (visit) async throws in
            #expect(try await visit.ask("DELETE").hasPrefix("HTTP/1.1 204"))
            #expect(try await visit.ask("HEAD").hasPrefix("HTTP/1.1 404"))
        }
    }

    @Test(arguments: ["HEAD", "PATCH", "DELETE"]) func anotherSiteReachesNoUpload(method: String) async throws {
        try await Self.with { (visit) async throws in
            for origin in ["https://example.org", "null", "http://localhost"] {
                let fields = [
                    "host: \(visit.served.host)", "cookie: \(visit.cookie)", "origin: \(origin)", "content-length: 0",
                    "connection: close",
                ]
                #expect(try await visit.served.ask(method, visit.path, fields).hasPrefix("HTTP/1.1 403"))
            }
            let stranger = ["host: \(visit.served.host)", "origin: http://\(visit.served.host)", "content-length: 0"]
            #expect(
                try await visit.served.ask(method, visit.path, stranger + ["connection: close"])
                    .hasPrefix("HTTP/1.1 403"))
            #expect(try await visit.offset() == "0")
        }
    }
}

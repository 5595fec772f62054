import Foundation
import Testing

@testable import alcove

/// The file by which a browser comes to the page, and that says meanwhile what the person waits for.
@Suite struct PageOpeningTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "opening-\(UUID().uuidString)").path

    private func page(_ write: (PageOpening) throws -> Void) throws -> String {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let opening = PageOpening(folder: folder)
        try opening.end("what was there before")
        try write(opening)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["open.html"])
        let attributes = try FileManager.default.attributesOfItem(atPath: opening.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        return try String(contentsOfFile: opening.path, encoding: .utf8)
    }

    @Test func `a move is told, and read again and again`() throws {
        let page = try page { try $0.wait(12_000, of: 20_000) }
        #expect(page.contains("Moving your messages, 12000 of 20000"))
        #expect(page.contains(#"<progress max="20000" value="12000">"#))
        #expect(page.contains(#"http-equiv="refresh" content="1""#))
    }

    @Test func `then it leads to the page`() throws {
        let page = try page { try $0.lead(to: "http://127.0.0.1:1/#a&b") }
        #expect(page.contains(#"http-equiv="refresh" content="0; url=http://127.0.0.1:1/#a&amp;b""#))
        #expect(!page.contains("Moving"))
    }

    @Test func `or says why not, and is not read again`() throws {
        let page = try page { try $0.end("the disk is <full>") }
        #expect(page.contains("the disk is &lt;full>") && !page.contains("refresh"))
    }

    @Test func `progress is read where it is told`() {
        #expect(MoveProgress.numbers("moving messages: 3 of 9").map { [$0.done, $0.all] } == [3, 9])
        #expect(MoveProgress.numbers("moving messages: 3 of") == nil && MoveProgress.numbers("3 of 9") == nil)
    }

    @Test func `nobody's browser is started where none is wanted`() throws {
        let window = PageWindow(folder: folder, isWanted: false)
        window.wait(1, of: 2)
        window.end("over")
        #expect(try !window.open("http://127.0.0.1:1/"))
        #expect(!FileManager.default.fileExists(atPath: folder))
    }
}

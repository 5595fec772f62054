import Cryptography
import Foundation
import Testing

@testable import Storage

/// Folders are written into one sealed file and restored; hostile archives are refused.
@Suite struct ArchiveTests {
    private static let passphrase = SecretBytes(copying: "correct horse".utf8)

    /// The places of an archive, its source and its target.
    private struct Place {
        let temporary: TemporaryFolder
        var source: String { temporary.path(of: "source") }
        var archive: String { temporary.path(of: "archive") }
        var target: String { temporary.path(of: "target") }

        init() throws {
            temporary = try TemporaryFolder()
            for path in [source, target] {
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            }
        }

        @discardableResult
        func write(_ names: [String], about: [UInt8] = [7]) throws -> ArchiveAmount {
            let writer = try ArchiveWriter(
                archive, passphrase: ArchiveTests.passphrase, cost: ArchiveTests.cost(), about: about,
                progress: { _ in true })
            let folder = try Folder(source)
            for name in names { try writer.add(name, of: folder) }
            try writer.finish()
            return writer.amount
        }

        /// A correctly sealed archive of any records.
        func write(records: [ArchiveRecord], then more: [UInt8] = []) throws {
            try? FileManager.default.removeItem(atPath: archive)
            let file = try FileDescriptor(archive, flags: O_WRONLY | O_CREAT | O_EXCL)
            var sealer = try ArchiveSealer.begin(file, passphrase: ArchiveTests.passphrase, cost: ArchiveTests.cost())
            for record in records { try sealer.write(record.bytes) }
            try sealer.write(more)
            try sealer.finish()
        }

        @discardableResult
        func read(into folder: String? = nil, passphrase: SecretBytes = ArchiveTests.passphrase) throws -> ArchiveAmount
        {
            try ArchiveReader.read(
                archive, passphrase: passphrase, into: folder, about: { _ in }, allowing: { _, _ in true },
                progress: { _, _ in true })
        }

        func code(into folder: String? = nil, passphrase: SecretBytes = ArchiveTests.passphrase) -> ArchiveError.Code? {
            do { try read(into: folder, passphrase: passphrase) } catch { return (error as? ArchiveError)?.code }
            return nil
        }

        var bytes: [UInt8] {
            get throws { Array(try Data(contentsOf: URL(fileURLWithPath: archive))) }
        }

        func put(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: archive)) }
    }

    /// A low cost, because these tests open many archives.
    private static func cost() throws -> Scrypt.Cost { try Scrypt.Cost(logN: 10, r: 8, p: 1) }

    private static func random(_ count: Int) -> [UInt8] { SecureRandom.bytes(count) }

    @Test func `folders come back as they were, whatever their names`() throws {
        let place = try Place()
        // The same letter in two spellings, right to left, an emoji, a name that looks like an option, and a line end.
        let names = [
            "caf\u{e9}", "cafe\u{301}", "שלום", "📒", "-rf", "a\nb", " ", "...", "con.txt",
            String(repeating: "ä", count: 127),
        ]
        let root = try Folder(place.source)
        _ = try root.folder(making: "Notes").folder(making: "unter").folder(making: "empty")
        let notes = try root.folder("Notes")
        for (size, name) in zip([0, 1, 65_535, 65_536, 65_537, 200_000, 3, 4, 5, 6], names) {
            try notes.write(Self.random(size), to: name)
        }
        try notes.makeLink("link", to: ".alcove-link/read/here/caf\u{e9}")
        try notes.makeLink("out", to: "/etc/passwd")
        let amount = try place.write(["Notes", "missing"])
        #expect(amount.leftOut == 1, "the link that leads out")
        #expect(amount.entries == 14)
        #expect(try AtomicFile.permissions(of: place.archive) == 0o600)
        #expect(try place.read().fileBytes == amount.fileBytes)
        #expect(try place.read(into: place.target).entries == amount.entries)
        let found = try Folder(place.target).folder("Notes")
        #expect(
            try Set(found.names(atMost: 100).map { Array($0.utf8) })
                == Set((names + ["unter", "link"]).map { Array($0.utf8) }))
        for name in names {
            #expect(try found.read(name, atMost: 1 << 20) == notes.read(name, atMost: 1 << 20))
            #expect(try found.status(of: name)?.modified == notes.status(of: name)?.modified)
        }
        #expect(try found.linkTarget("link") == ".alcove-link/read/here/caf\u{e9}")
        #expect(try found.folder("unter").folder("empty").names(atMost: 1).isEmpty)
        #expect(try AtomicFile.permissions(of: place.target + "/Notes/-rf") == 0o600)
    }

    @Test func `attributes of files and folders come back`() throws {
        let place = try Place()
        let folder = try Folder(place.source).folder(making: "Apps")
        try folder.write([1], to: "file")
        do {
            try folder.attributes().set("user.a", to: [1, 2])
            try folder.open("file").attributes.set("user.b", to: [])
        } catch { return }  // The file system has none.
        try place.write(["Apps"])
        try place.read(into: place.target)
        let found = try Folder(place.target).folder("Apps")
        #expect(try found.attributes().value("user.a", atMost: 9) == [1, 2])
        #expect(try found.open("file").attributes.value("user.b", atMost: 9) == [])
    }

    @Test func `an archive has its name when it is whole, and replaces nothing`() throws {
        let place = try Place()
        try Folder(place.source).write(Self.random(300_000), to: "file")
        #expect(throws: ArchiveError.self) {
            let writer = try ArchiveWriter(
                place.archive, passphrase: Self.passphrase, cost: Self.cost(), about: [],
                progress: { $0.fileBytes < 100_000 })
            try writer.add("file", of: Folder(place.source))
            try writer.finish()
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: place.temporary.path).sorted() == ["source", "target"])
        try place.put([1])
        #expect(throws: ArchiveError.self) { try place.write(["file"]) }
        #expect(try place.bytes == [1])
    }

    @Test func `a wrong passphrase is told from damage, and another version from both`() throws {
        let place = try Place()
        try Folder(place.source).write([1, 2, 3], to: "file")
        try place.write(["file"])
        let whole = try place.bytes
        #expect(place.code() == nil)
        #expect(place.code(passphrase: SecretBytes(copying: "another".utf8)) == .wrongPassphrase)
        for index in 0..<whole.count {
            for bit in [0, 7] {
                var bytes = whole
                bytes[index] ^= 1 << UInt8(bit)
                try place.put(bytes)
                let expected: ArchiveError.Code = index < 8 ? .notAnArchive : index < 10 ? .otherVersion : .damaged
                #expect(place.code() == expected, "byte \(index)")
            }
        }
        for count in 0..<whole.count {
            try place.put(Array(whole.prefix(count)))
            #expect(place.code() == (count < 8 ? .notAnArchive : .damaged), "\(count) bytes")
        }
        try place.put(whole + [0])
        #expect(place.code() == .damaged)
    }

    @Test func `chunks cannot be left out, repeated, exchanged or taken from elsewhere`() throws {
        let place = try Place()
        let chunk = ArchiveHeader.chunkByteCount + AESGCM.tagByteCount
        try Folder(place.source).write(Self.random(5 * ArchiveHeader.chunkByteCount), to: "file")
        try place.write(["file"])
        let whole = try place.bytes
        let header = Array(whole.prefix(ArchiveHeader.byteCount))
        let chunks = stride(from: header.count, to: whole.count, by: chunk).map {
            Array(whole[$0..<min($0 + chunk, whole.count)])
        }
        try FileManager.default.removeItem(atPath: place.archive)
        try place.write(["file"])
        let others = try place.bytes
        var swapped = chunks
        swapped.swapAt(1, 2)
        let variants: [[[UInt8]]] = [
            Array(chunks.dropLast()), Array(chunks.dropFirst()), Array(chunks.prefix(2) + chunks.suffix(2)),
            chunks + [chunks[5]], Array(chunks.prefix(3) + [chunks[2]] + chunks.suffix(3)), swapped, [chunks[5]],
            chunks.prefix(1) + [Array(others[header.count + chunk..<header.count + 2 * chunk])] + chunks.dropFirst(2),
            [],
        ]
        for (number, variant) in variants.enumerated() {
            try place.put(header + variant.flatMap(\.self))
            #expect(place.code() == .damaged, "variant \(number)")
            #expect(place.code(into: place.target) == .damaged, "variant \(number)")
            try FileManager.default.removeItem(atPath: place.target)
            try FileManager.default.createDirectory(atPath: place.target, withIntermediateDirectories: true)
        }
    }

    @Test func `what a person with the passphrase could put into a file leads nowhere`() throws {
        let place = try Place()
        let outside = place.temporary.path(of: "outside")
        try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
        let end = ArchiveRecord.end(entries: 1, bytes: 0)
        let hostile: [[ArchiveRecord]] = [
            [], [end], [.about([])], [.about([]), .about([]), .end(entries: 0, bytes: 0)],
            [.about([]), .enter("..")], [.about([]), .enter(".")], [.about([]), .enter("")],
            [.about([]), .enter("a/b")], [.about([]), .enter("/")], [.about([]), .file("../outside/x", modified: 0)],
            [.about([]), .file("a\0b", modified: 0)], [.about([]), .leave], [.about([]), .data([1])],
            [.about([]), .endOfFile], [.about([]), .file("a", modified: 0), .enter("b")],
            [.about([]), .enter("a"), .link("l", target: "/etc"), .leave],
            [.about([]), .enter("a"), .link("l", target: "../../outside"), .leave],
            [.about([]), .enter("a"), .link("l", target: ".alcove-link/../../outside"), .leave],
            [.about([]), .link("l", target: ".alcove-link/read/here/x"), end],
            [.about([]), .enter("a"), .link("l", target: ".alcove-link/x"), .enter("l"), .leave, .leave],
            [
                .about([]), .enter("a"), .link("l", target: ".alcove-link/x"), .file("l", modified: 0), .endOfFile,
                .leave,
            ],
            [
                .about([]), .file("a", modified: 0), .endOfFile, .file("a", modified: 0), .endOfFile,
                .end(entries: 2, bytes: 0),
            ],
            [.about([]), .enter("a"), .leave, .enter("a"), .leave, .end(entries: 2, bytes: 0)],
            [.about([]), .enter("a"), .attribute("security.selinux", [1]), .leave, end],
            [.about([]), .enter("a"), .attribute("trusted.x", [1]), .leave, end],
            [.about([]), .attribute("user.x", [1]), .end(entries: 0, bytes: 0)],
            [.about([]), .enter("a"), .end(entries: 1, bytes: 0)], [.about([]), .enter("a"), .leave],
            [.about([]), .enter("a"), .leave, .end(entries: 2, bytes: 0)],
            [.about([]), .file("a", modified: 0), .data([1, 2]), .endOfFile, .end(entries: 1, bytes: 1)],
            [.about([]), .file("a", modified: 0), .data([1]), .end(entries: 1, bytes: 1)],
            [.about([])] + [ArchiveRecord](repeating: .enter("a"), count: 1000),
        ]
        for (number, records) in hostile.enumerated() {
            try place.write(records: records)
            #expect(place.code(into: place.target) != nil, "\(number): \(records.prefix(4))")
            try FileManager.default.removeItem(atPath: place.target)
            try FileManager.default.createDirectory(atPath: place.target, withIntermediateDirectories: true)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside).isEmpty)
        let sound: [ArchiveRecord] = [.about([]), .enter("a"), .leave, end]
        try place.write(records: sound)
        #expect(place.code() == nil)
        for more: [UInt8] in [[0], [1], [5, 0, 0, 0, 0], [10], [5, 255, 255, 255, 255], ArchiveRecord.leave.bytes] {
            try place.write(records: sound, then: more)
            #expect(place.code() == .invalid)
        }
        try place.write(records: [.about([])], then: [5, 255, 255, 255, 255])
        #expect(place.code() == .invalid, "a record that says it is longer than any")
    }

    @Test func `times before 1970 and after 2262 do no harm`() throws {
        let place = try Place()
        for time in [Int64.min, -1, 0, Int64.max] {
            try place.write(records: [
                .about([]), .file("t\(time)", modified: time), .endOfFile, .end(entries: 1, bytes: 0),
            ])
            // The file system may refuse a time that it cannot represent.
            let code = place.code(into: place.target)
            #expect(code == nil || code == .failed)
        }
    }

    @Test func `records are read as they were written, in parts of any size`() throws {
        let records: [ArchiveRecord] = [
            .about([1, 2, 3]), .enter("ä"), .attribute("user.x", [9]), .file("f", modified: -5),
            .attribute("user.y", []),
            .data(Self.random(65_536)[...]), .data([1]), .endOfFile, .link("l", target: "t"), .leave,
            .end(entries: 3, bytes: 65_537),
        ]
        let bytes = records.flatMap(\.bytes)
        for size in [1, 7, 4096, 65_536, bytes.count] {
            var parser = ArchiveParser()
            var found: [ArchiveRecord] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                parser.feed(Array(bytes[start..<min(start + size, bytes.count)]))
                while let record = try parser.next() { found.append(record) }
            }
            try parser.finish()
            #expect(found == records)
            if size == 1 { continue }
        }
    }
}

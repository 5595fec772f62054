import AppPacks
import CZip
import Components
import Foundation
import Testing

/// Packs that were made to do harm, or were damaged on the way. All are refused, and nothing of them stays.
@Suite struct HostilePackTests {
    private func refuse(
        _ writer: ZipWriter, _ codes: AppPackError.Code..., limits: PackLimits = PackLimits(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try refuse(bytes: writer.bytes, codes, limits: limits, sourceLocation: sourceLocation)
    }

    private func refuse(
        bytes: [UInt8], _ codes: [AppPackError.Code], limits: PackLimits = PackLimits(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try LibraryFixture.use(limits: limits) { fixture in
            let path = fixture.folder.path + "/pack.zip"
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            let error = refusal { try fixture.install(path) }
            #expect(
                error.map { codes.contains($0.code) } == true, "\(error?.message ?? "")",
                sourceLocation: sourceLocation)
            #expect(error?.message.contains("pack.zip") == true, sourceLocation: sourceLocation)
            #expect(try fixture.names(in: "packs").isEmpty && fixture.names(in: "partial").isEmpty)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path).sorted() == [
                    "Apps", "pack.zip",
                ])
        }
    }

    private static func pack(_ more: ZipWriter.Entry...) -> ZipWriter {
        let manifest = ZipWriter.Entry("manifest.json", Array(LibraryFixture.manifest().utf8))
        return ZipWriter(entries: [manifest, .init("app/main.mjs", Array("1".utf8))] + more)
    }

    private static func changed(_ change: (inout ZipWriter.Entry) -> Void) -> ZipWriter {
        var entry = ZipWriter.Entry("app/x", Array("text".utf8))
        change(&entry)
        return pack(entry)
    }

    @Test func anHonestOneIsInstalled() throws {
        try LibraryFixture.use { fixture in
            let path = fixture.folder.path + "/pack.zip"
            let writer = Self.pack(
                .init("app/a/"), .init("app/a/b.txt", Array("b".utf8)), .init("README.md", [1]),
                .init("app/.hidden", [1]))
            try Data(writer.bytes).write(to: URL(fileURLWithPath: path))
            let app = try fixture.install(path)
            #expect(try fixture.code(of: app) == "1")
            #expect(try fixture.library.read(packPath("/a/b.txt"), of: app) == Array("b".utf8))
            #expect(
                refusal { _ = try fixture.library.open(packPath("/.hidden"), of: app) }?.code
                    == .noSuchFile)
        }
    }

    @Test(arguments: [
        "../evil", "app/../../evil", "/etc/evil", "app//x", "app/./x", "app\\..\\evil", "C:\\evil", "app/x\ny",
        "app/" + String(repeating: "d/", count: 20),
        "app/" + String(repeating: "n", count: 256), "", "/", "app/x\0/../../evil", "app/new.mjs\0.txt",
    ])
    func namesThatLeadAstray(name: String) throws { try refuse(Self.pack(.init(name, [1])), .refused) }

    @Test func aNameThatIsNotUTF8() throws {
        try refuse(Self.changed { $0.name = [0x61, 0xff] }, .notAPack)
        try refuse(
            Self.changed {
                $0.name = [0x61, 0xff]
                $0.flags = 0
            }, .refused)
    }

    @Test(arguments: ["app/main.mjs", "app/MAIN.mjs", "app/main.mjs/x", "App", "app/main.mjs/"])
    func namesThatAreTakenAlready(name: String) throws {  // libzip itself refuses names that are the same to the byte.
        try refuse(Self.pack(.init(name, [1])), .refused, .notAPack)
    }

    @Test func namesThatOnlyLookDifferent() throws {
        try refuse(Self.pack(.init("app/\u{e9}", [1]), .init("app/e\u{301}", [1])), .refused)
    }

    @Test(arguments: [UInt16(0o120777), 0o060644, 0o010644, 0o140644, 0o020644], [UInt8(0), 3, 19])
    func linksAndDevices(mode: UInt16, system: UInt8) throws {
        try refuse(
            Self.changed {
                $0.mode = mode
                $0.system = system
            }, .refused)
    }

    @Test func encryptedFiles() throws { try refuse(Self.changed { $0.flags |= 1 }, .refused) }

    @Test(arguments: [UInt16(1), 9, 12, 14, 93, 95]) func otherWaysOfPacking(method: UInt16) throws {
        try refuse(Self.changed { $0.method = method }, .refused)
    }

    @Test func aWrongChecksum() throws { try refuse(Self.changed { $0.checksum = 1 }, .notAPack) }

    @Test func contentThatIsNoDeflate() throws {
        try refuse(
            Self.changed {
                $0.method = 8
                $0.content = [0xff, 0xff, 0xff]
                $0.size = 10
            }, .notAPack)
    }

    @Test func aPlaceThatIsNotThere() throws {
        try refuse(Self.changed { $0.offset = 0x7fff_ffff }, .notAPack)
    }

    @Test func filesThatShareTheirBytes() throws {
        // What one archive says twice is counted twice.
        var limits = PackLimits()
        limits.total = 1000
        let text = [UInt8](repeating: 0x20, count: 300)
        try refuse(
            Self.pack(.init("app/a", text), .init("app/b", text), .init("app/c", text), .init("app/d", text)), .refused,
            limits: limits)
    }

    @Test func tooLarge() throws {
        var limits = PackLimits()
        limits.file = 1000
        try refuse(Self.pack(.init("app/x", [UInt8](repeating: 1, count: 1001))), .refused, limits: limits)
        limits = PackLimits()
        limits.archive = 100
        try refuse(Self.pack(), .refused, limits: limits)
        limits = PackLimits()
        limits.entries = 3
        try refuse(Self.pack(.init("app/a"), .init("app/b")), .refused, limits: limits)
        try refuse(Self.pack(.init("app/a/"), .init("app/b/")), .refused, limits: limits)
    }

    @Test func aSizeThatIsALie() throws {
        try refuse(Self.changed { $0.size = 0xffff_fffe }, .refused)
        try refuse(Self.changed { $0.size = 3 }, .notAPack)
        var writer = Self.pack()
        writer.announced = 0xfffe
        try refuse(writer, .refused)
        writer.announced = 1
        try refuse(writer, .notAPack)
    }

    @Test func the64BitForm() throws {
        let bytes = Self.pack().bytes
        let locator: [UInt8] = [0x50, 0x4b, 6, 7] + [UInt8](repeating: 0, count: 16)
        try refuse(bytes: Array(bytes.dropLast(22)) + locator + Array(bytes.suffix(22)), [.refused])
    }

    @Test func aBomb() throws {
        try LibraryFixture.use { fixture in
            let path = fixture.folder.path + "/pack.zip"
            try deflated(
                [
                    "manifest.json": Array(LibraryFixture.manifest().utf8),
                    "app/main.mjs": [UInt8](repeating: 0, count: 20 << 20),
                ], to: path)
            let error = refusal { try fixture.install(path) }
            #expect(error?.code == .refused && error?.message.contains("100 times") == true)
        }
    }

    @Test func aDeflatedOneIsTruncatedAnywhere() throws {
        try LibraryFixture.use { fixture in
            let path = fixture.folder.path + "/pack.zip"
            try deflated(
                [
                    "manifest.json": Array(LibraryFixture.manifest().utf8),
                    "app/main.mjs": Array(repeating: 0x31, count: 1000),
                ], to: path)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            #expect(try fixture.code(of: fixture.install(path)).count == 1000)
            for count in stride(from: 0, to: bytes.count, by: 7) {
                try bytes.prefix(count).write(to: URL(fileURLWithPath: path))
                let error = refusal { try fixture.install(path) }
                #expect(error?.code == .notAPack)
                #expect(count < 4 || error?.message.contains("incomplete") == true)
            }
        }
    }

    @Test func aFileThatIsThereTwiceIsNamed() throws {
        try LibraryFixture.use { fixture in
            let path = fixture.folder.path + "/pack.zip"
            try Data(Self.pack(.init("app/x", [1]), .init("app/x", [2])).bytes).write(to: URL(fileURLWithPath: path))
            #expect(refusal { try fixture.install(path) }?.message.contains("'app/x' twice") == true)
        }
    }

    @Test func bytesThatAreTurned() throws {
        try LibraryFixture.use { fixture in
            let path = fixture.folder.path + "/pack.zip"
            let bytes = Self.pack().bytes
            for position in bytes.indices {
                var turned = bytes
                turned[position] ^= UInt8(1 << (position % 8))
                try Data(turned).write(to: URL(fileURLWithPath: path))
                _ = try? fixture.library.inspect(path)
            }
        }
    }

    /// Writes a ZIP file as others do.
    private func deflated(_ files: [String: [UInt8]], to path: String) throws {
        let archive = try #require(zip_open(path, Int32(ZIP_CREATE | ZIP_EXCL), nil))
        var buffers: [UnsafeMutableRawBufferPointer] = []
        defer { for buffer in buffers { buffer.deallocate() } }
        for (name, content) in files {
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: content.count, alignment: 1)
            buffer.copyBytes(from: content)
            buffers.append(buffer)
            let source = zip_source_buffer(archive, buffer.baseAddress, UInt64(buffer.count), 0)
            #expect(zip_file_add(archive, name, source, UInt32(ZIP_FL_ENC_UTF_8)) >= 0)
        }
        #expect(zip_close(archive) == 0)
    }
}

import Foundation
import Notes
import Storage
import Testing

/// What others put beside a log takes nothing from it for good.
@Suite("Files beside too many others")
struct CrowdedFilesTests {
    /// 220 kB may be read of a note: all of one writer, and not all of forty.
    private static let patience = Duration.milliseconds(220)
    private static let perByte = Duration.microseconds(1)
    private static let count = 40

    /// Each is read in time; all of them are not.
    private func crowd(_ logs: URL) throws -> [URL] {
        try (1...Self.count).map { number in
            let file = logs.appending(path: "e\(100 + number).e\(100 + number).1.crdtlog")
            try UpdateBytes.put(
                UpdateBytes.log(of: UpdateBytes.slowUpdate(400, base: 1_000_000 * (number + 3))), file)
            return file
        }
    }

    @Test("What this profile wrote is read before what others wrote, however large it is")
    func oursFirst() async throws {
        try await Place.inFolder { place in
            let library = try await place.open("Ada")
            let words = String(repeating: "many words ", count: 12_000)
            let note = try await library.create(title: "Mine", markdown: words + "to the last").id
            await library.close()
            let crowd = try crowd(place.directory("Ada").appending(path: "notes/\(note)/logs"))
            let again = try await place.open("Ada", patience: Self.patience, perByte: Self.perByte)
            #expect(try await again.markdown(of: note).contains("to the last"))
            try await again.append("more", to: note)
            #expect(try await again.markdown(of: note).contains("more"))
            for file in crowd { try FileManager.default.removeItem(at: file) }
            try await again.catchUp()
            #expect(try await again.markdown(of: note).hasSuffix("to the last\n\nmore\n"))
            #expect(try await again.list().map(\.problem) == [nil])
            #expect(try await again.verify().isOK)
            await again.close()
        }
    }

    @Test(
        "A log that was left out because of others is read when they are gone", arguments: [0, count - 1],
        [false, true])
    func roomAgain(kept: Int, isReopened: Bool) async throws {
        try await Place.inFolder { place in
            let logs = place.directory("Ada").appending(path: "notes/n/logs")
            // So many that the state would be stored.
            let lines = (1...70).map { UpdateBytes.paragraph("line \($0)", by: $0) }
            try UpdateBytes.put(UpdateBytes.log(of: lines), logs.appending(path: "x.x.1.crdtlog"))
            var crowd = try crowd(logs)
            var library = try await place.open("Ada", patience: Self.patience, perByte: Self.perByte)
            #expect(try await library.markdown(of: "n").contains("line 70\n"))
            #expect(try await library.list().first?.problem?.contains("move away") == true)
            let file = crowd.remove(at: kept)
            for other in crowd { try FileManager.default.removeItem(at: other) }
            if isReopened {
                await library.close()
                library = try await place.open("Ada", patience: Self.patience, perByte: Self.perByte)
            } else {
                try await library.catchUp()
            }
            let text = try await library.markdown(of: "n")
            #expect(text.contains("line 70\n") && text.contains("acac"), "\(file.lastPathComponent)")
            #expect(try await library.list().map(\.problem) == [nil])
            #expect(try await library.verify().isOK)
            await library.close()
        }
    }

    @Test("The state of the sound logs is stored beside a damaged one, and nothing of that one is in it")
    func soundState() async throws {
        try await Place.inFolder { place in
            let logs = place.directory("Ada").appending(path: "notes/n/logs")
            let sound = logs.appending(path: "x.x.1.crdtlog")
            var lines = (1...100).map { UpdateBytes.paragraph("line \($0)", by: $0) }
            try UpdateBytes.put(UpdateBytes.log(of: lines), sound)
            let file = logs.appending(path: "y.y.1.crdtlog")
            let second = UpdateBytes.paragraph("second", by: 127)
            var broken = second
            broken[4] = 0x1f
            try UpdateBytes.put(UpdateBytes.log(of: UpdateBytes.paragraph("rotten", by: 126), broken), file)
            var library = try await place.open("Ada")
            let index = try #require(Place.files(below: place.home("Ada")).first { $0.hasSuffix(".sqlite") })
            let database = try Database(path: place.home("Ada").appending(path: index).path)
            let stored = try database.query("SELECT CAST(document_state AS BLOB) FROM note_sync_state") {
                try $0[0] as [UInt8]
            }
            let state = String(decoding: try #require(stored.first), as: UTF8.self)
            #expect(state.contains("line 1") && state.contains("line 100") && !state.contains("rotten"))
            for isReopened in [false, true] {
                if isReopened {
                    await library.close()
                    library = try await place.open("Ada")
                }
                let text = try await library.markdown(of: "n")
                #expect(text.contains("line 100\n") && text.contains("rotten\n") && !text.contains("second"))
                #expect(try await library.list().first?.problem?.contains("y.y.1.crdtlog") == true)
                #expect(try await library.verify().problems.map(\.file) == ["notes/n/logs/y.y.1.crdtlog"])
                lines.append(UpdateBytes.paragraph("later", by: isReopened ? 102 : 101))
                try UpdateBytes.put(UpdateBytes.log(of: lines), sound)
                #expect(try await library.markdown(of: "n").contains("later\n"))
            }
            try UpdateBytes.put(UpdateBytes.log(of: UpdateBytes.paragraph("mended", by: 126), second), file)
            await library.close()
            library = try await place.open("Ada")
            let text = try await library.markdown(of: "n")
            #expect(text.contains("mended\n") && text.contains("second\n") && !text.contains("rotten"))
            #expect(try await library.list().map(\.problem) == [nil])
            #expect(try await library.verify().isOK)
            await library.close()
        }
    }
}

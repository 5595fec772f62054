import Foundation
import Notes
import Peers
import Testing

/// Two libraries on two folders that real Syncthing processes keep in step.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SyncthingTests {
    private let pair: SyncthingPair
    private let homes: URL

    init() throws {
        pair = try SyncthingPair()
        homes = FileManager.default.temporaryDirectory.appending(path: "homes-\(UUID().uuidString)")
    }

    private func library(_ number: Int, _ person: String) async throws -> NoteLibrary {
        try await NoteLibrary.open(
            pair.folders[number].path, home: homes.appending(path: person).path, person: person)
    }

    /// Waits for what the files bring.
    private func eventually(_ what: String, _ isSo: () async throws -> Bool) async throws {
        for _ in 0..<600 {
            if try await isSo() { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        Issue.record("\(what) did not come to be; Syncthing said:\n\(pair.logs.suffix(4000))")
        throw CancellationError()
    }

    private func converge(_ ada: NoteLibrary, _ ben: NoteLibrary, _ note: String, _ lines: [String]) async throws {
        try await eventually("the same text on both sides") {
            let adas = try await ada.markdown(of: note)
            // Its folder may be there before its files are.
            guard let bens = try? await ben.markdown(of: note) else { return false }
            return adas == bens && lines.allSatisfy(adas.contains)
        }
    }

    @Test func `two people edit the same note, together and apart`() async throws {
        defer { try? FileManager.default.removeItem(at: homes) }
        try pair.start()
        let ada = try await library(0, "Ada")
        let note = try await ada.create(title: "Groceries", markdown: "* milk").id
        try await eventually("the note on the other side") {
            FileManager.default.fileExists(atPath: pair.folders[1].appending(path: "notes/\(note)/logs").path)
        }
        let ben = try await library(1, "Ben")
        try await converge(ada, ben, note, ["Groceries", "milk"])

        var lines: [String] = []
        for round in 0..<5 {
            for (library, person) in [(ada, "Ada"), (ben, "Ben")] {
                lines.append("\(person)'s \(round)")
                try await library.append("* \(person)'s \(round)", to: note)
            }
        }
        try await converge(ada, ben, note, lines)

        // Apart for a while, at the same words.
        pair.stop()
        for (library, person) in [(ada, "Ada"), (ben, "Ben")] {
            let text = try await library.text(of: note)
            let edited = text.markdown.replacing("milk", with: "milk of \(person)")
            try await library.replace(note, markdown: edited, base: text.revision)
            try await library.append("* \(person) apart", to: note)
        }
        let (adas, bens) = (try await ada.markdown(of: note), try await ben.markdown(of: note))
        #expect(adas != bens)
        try pair.start()
        try await converge(ada, ben, note, lines + ["of Ada", "of Ben", "Ada apart", "Ben apart"])

        for library in [ada, ben] { await library.close() }
        try await eventually("the same files on both sides") { try files(0) == files(1) }
        #expect(try files(0).keys.allSatisfy { !$0.contains("sync-conflict") })
        for (number, person) in ["Ada", "Ben"].enumerated() {
            let library = try await library(number, person)
            let found = try await library.verify()
            #expect(found.problems.map(\.text) == [])
            #expect(found.notes == 1)
            await library.close()
        }
    }

    /// Every file of a side but those of Syncthing, by its path.
    private func files(_ number: Int) throws -> [String: Data] {
        let folder = pair.folders[number]
        var files: [String: Data] = [:]
        for case let path as String in FileManager.default.enumerator(atPath: folder.path) ?? .init() {
            guard !path.hasPrefix(".stfolder"), !path.contains(".syncthing.") else { continue }
            let file = folder.appending(path: path)
            if try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
                files[path] = try Data(contentsOf: file)
            }
        }
        return files
    }
}

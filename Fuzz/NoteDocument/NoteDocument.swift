import Dispatch
import Foundation
import Notes

/// Reads any bytes as a log of a note that has a good log, too: whatever is damaged or slow in the one, what the other says is
/// there, also after the log has grown. What is slow is counted in bytes: each input takes the same on every machine, and little.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzNoteDocument(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Data(UnsafeBufferPointer(start: start, count: count))
    let isDone = DispatchSemaphore(value: 0)
    Task {
        await Reader.shared.read(bytes)
        isDone.signal()
    }
    isDone.wait()
    return 0
}

/// JavaScriptCore keeps a few of its own blocks for good; every other leak counts.
@_cdecl("__lsan_default_suppressions")
public func leaksOfTheEngine() -> UnsafePointer<CChar> {
    let text: StaticString = "leak:libjavascriptcoregtk"
    return UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}

/// One library for all inputs, as starting a script engine takes longer than reading a log.
private actor Reader {
    static let shared = Reader()

    private let place =
        (FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : "/tmp")
        + "/alcove-fuzz-\(ProcessInfo.processInfo.processIdentifier)"
    private var library: NoteLibrary?
    private var number = 0

    /// A paragraph that says “good”, in a log of its own, of a client that no input comes upon.
    private static let good: [UInt8] =
        [0x4e, 0x43, 0x4c, 0x47, 1, 58, 0, 0, 1, 0x9b, 0, 0, 0, 0, 1]
        + [1, 3, 0xff, 0xff, 0xff, 0x7f, 0, 7, 1, 7] + Array("content".utf8) + [3, 9] + Array("paragraph".utf8)
        + [7, 0, 0xff, 0xff, 0xff, 0x7f, 0, 6, 4, 0, 0xff, 0xff, 0xff, 0x7f, 1, 4] + Array("good".utf8) + [0]

    func read(_ bytes: Data) async {
        do {
            let library = try await open()
            number += 1
            let note = "note\(number)"
            let logs = "\(place)/notes/notes/\(note)/logs"
            try FileManager.default.createDirectory(atPath: logs, withIntermediateDirectories: true)
            try Data(Self.good).write(to: URL(filePath: "\(logs)/x.x.1.crdtlog"))
            // Half of it first, as a syncer may bring it.
            for part in [bytes.prefix(bytes.count / 2), bytes] {
                try part.write(to: URL(filePath: "\(logs)/y.y.1.crdtlog"))
                try await library.catchUp()
                try await check(note, in: library)
            }
            try FileManager.default.removeItem(atPath: "\(place)/notes/notes/\(note)")
            try await library.catchUp()
        } catch {
            fatalError("\(error)")
        }
    }

    private func check(_ note: String, in library: NoteLibrary) async throws {
        let text: String
        do throws(NoteFailure) {
            text = try await library.markdown(of: note)
        } catch {
            // All of it is too deep, or takes too long; that is said.
            guard error.code == .noteUnreadable else { throw error }
            return
        }
        precondition(text.contains("good"), "what another log says is gone")
    }

    private func open() async throws -> NoteLibrary {
        if let library { return library }
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        var options = NoteLibrary.Options(watches: false)
        // 4 kB of a note; the longer inputs are slow.
        options.patience = .milliseconds(4)
        options.timePerByte = .microseconds(1)
        let opened = try await NoteLibrary.open(
            "\(place)/notes", home: "\(place)/home", person: "Fuzz", options: options)
        library = opened
        return opened
    }
}

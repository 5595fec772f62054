import Cryptography
import Dispatch
import Foundation
import Storage

extension Suite {
    static let profileArchive = Suite(
        name: "profile-archive",
        about: "a folder into a sealed archive and back, beside tar with openssl, and age where it is"
    ) { recorder in
        let place = FileManager.default.temporaryDirectory.appending(path: "archive-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: place + "/source/Notes", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: place) }
        try await measure("256 MiB in 4 files", files: 4, bytes: 64 << 20, in: place, recorder)
        try await measure("4000 files of 4 KiB", files: 4000, bytes: 4096, in: place, recorder)
    }
}

private let passphrase = SecretBytes(copying: "four words for it".utf8)

private func measure(_ name: String, files: Int, bytes: Int, in place: String, _ recorder: Recorder) async throws {
    let notes = place + "/source/Notes"
    try FileManager.default.removeItem(atPath: notes)
    try FileManager.default.createDirectory(atPath: notes, withIntermediateDirectories: true)
    for number in 0..<files {
        try Data(SecureRandom.bytes(bytes)).write(to: URL(fileURLWithPath: "\(notes)/\(number)"))
    }
    let megabytes = Double(files * bytes) / 1e6
    var (writing, checking, reading): ([Double], [Double], [Double]) = ([], [], [])
    for _ in 0..<3 {
        let (archive, target) = (place + "/archive", place + "/target")
        for path in [archive, target] { try? FileManager.default.removeItem(atPath: path) }
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        writing.append(
            megabytes
                / (try time {
                    let writer = try ArchiveWriter(archive, passphrase: passphrase, about: [], progress: { _ in true })
                    try writer.add("Notes", of: Folder(place + "/source"))
                    try writer.finish()
                }))
        checking.append(megabytes / (try time { try read(archive, into: nil) }))
        reading.append(megabytes / (try time { try read(archive, into: target) }))
    }
    await recorder.record("write \(name)", writing, unit: "MB/s", better: .higher)
    await recorder.record("check \(name)", checking, unit: "MB/s", better: .higher)
    await recorder.record("restore \(name), each on the disk", reading, unit: "MB/s", better: .higher)
    for (tool, command) in tools {
        var rates: [Double] = []
        for _ in 0..<3 {
            rates.append(megabytes / (try time { try shell("cd '\(place)' && \(command) && sync sealed") }))
        }
        await recorder.record("\(tool), \(name)", rates, unit: "MB/s", better: .higher)
        let ratio = median(writing) / median(rates)
        await recorder.record("write \(name), beside \(tool)", ratio, unit: "times", better: .higher)
    }
}

/// What else a person would take, with the passphrase on the command line, as nobody should. `openssl enc` authenticates nothing.
private var tools: [(String, String)] {
    let openssl = (
        "tar | openssl enc -aes-256-ctr -pbkdf2",
        "tar -cf - source | openssl enc -aes-256-ctr -pbkdf2 -pass pass:four -out sealed"
    )
    // age asks for a passphrase on a terminal only, so it seals to a key.
    let age = (
        "tar | age",
        "{ [ -f key ] || age-keygen -o key 2>/dev/null; } && rm -f sealed && tar -cf - source | age -e -i key -o sealed"
    )
    return [openssl] + ((try? shell("command -v age")) == nil ? [] : [age])
}

private struct Failed: Error {}

private func shell(_ line: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", line]
    process.standardOutput = FileHandle.nullDevice
    // `waitUntilExit` turns a run loop and can miss the exit on a thread that has none.
    let exited = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in exited.signal() }
    try process.run()
    exited.wait()
    guard process.terminationStatus == 0 else { throw Failed() }
}

private func read(_ archive: String, into folder: String?) throws {
    _ = try ArchiveReader.read(
        archive, passphrase: passphrase, into: folder, about: { _ in }, allowing: { _, _ in true },
        progress: { _, _ in true })
}

private func time(_ body: () throws -> Void) rethrows -> Double { seconds(try ContinuousClock().measure(body)) }

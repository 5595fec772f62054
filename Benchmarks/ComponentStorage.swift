import ComponentStorage
import Components
import Foundation
import StorageClient

extension Suite {
    static let componentStorage = Suite(
        name: "component-storage", about: "files of apps through the object IPC, beside the system calls alone"
    ) { recorder in
        let place = FileManager.default.temporaryDirectory.appending(path: "storage-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: place + "/root", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: place) }
        let (host, app) = ConnectedEnds.make()
        let root = try StorageRoot(place + "/root")
        let folder = try FolderClient(root.serve(writable: true, on: host), on: app)
        let plain = place + "/plain"
        let bytes = [UInt8](repeating: 7, count: part)
        for name in ["in one piece", "in pieces of 1 MiB"] {
            let isWhole = name == "in one piece"
            try await recordRates(
                "write 64 MiB \(name)", recorder, ours: { try await write(bytes, to: folder, isWhole: isWhole) },
                raw: { try writePlainly(pieces: isWhole ? 2 : parts, to: plain) })
            try await recordRates(
                "read 64 MiB \(name)", recorder, ours: { try await read(folder, isWhole: isWhole) },
                raw: { try readPlainly(plain, pieces: isWhole ? 2 : parts) })
        }
        try await recordSmall(folder, recorder)
        withExtendedLifetime((host, root)) {}
    }
}

private let part = 1 << 20
private let parts = 64
private struct Failed: Error {}

/// Both are measured in turn, and compared by their medians.
private func recordRates(
    _ name: String, _ recorder: Recorder, ours: () async throws -> Void, raw: () throws -> Void
) async throws {
    var (rates, plain): ([Double], [Double]) = ([], [])
    let megabytes = Double(part * parts) / 1e6
    for round in 0..<6 {
        let begun = ContinuousClock.now
        try await ours()
        let middle = ContinuousClock.now
        try raw()
        let end = ContinuousClock.now
        // The first one fills caches.
        if round == 0 { continue }
        rates.append(megabytes / seconds(middle - begun))
        plain.append(megabytes / seconds(end - middle))
    }
    await recorder.record(name, rates, unit: "MB/s", better: .higher)
    await recorder.record("\(name): system calls alone", plain, unit: "MB/s", better: .higher)
    await recorder.record(
        "\(name): share of the system calls", median(rates) / median(plain), unit: "of 1", better: .higher, aim: 0.5)
}

private func write(_ bytes: [UInt8], to folder: FolderClient, isWhole: Bool) async throws {
    if isWhole {
        // The largest that one call takes, twice.
        let half = [UInt8](repeating: 7, count: part * parts / 2)
        for name in ["large", "other"] { try await folder.write(half, name) }
        return
    }
    let sink = try await folder.sink("pieces")
    for number in 0..<parts { try await sink.splice(UInt64(number * part), 0, bytes) }
    try await sink.done()
}

private func read(_ folder: FolderClient, isWhole: Bool) async throws {
    if isWhole {
        for name in ["large", "other"] {
            guard try await folder.bytes(name)?.count == part * parts / 2 else { throw Failed() }
        }
        return
    }
    let source = try await folder.source("pieces")
    for _ in 0..<parts { guard try await source.next(UInt64(part))?.count == part else { throw Failed() } }
}

/// A new file each time, flushed like ours, with as many system calls.
private func writePlainly(pieces: Int, to path: String) throws {
    let bytes = [UInt8](repeating: 7, count: part * parts / pieces)
    let file = open(path + ".new", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { close(file) }
    for _ in 0..<pieces { guard write(file, bytes, bytes.count) == bytes.count else { throw Failed() } }
    guard fsync(file) == 0, rename(path + ".new", path) == 0 else { throw Failed() }
}

private func readPlainly(_ path: String, pieces: Int) throws {
    let file = open(path, O_RDONLY)
    defer { close(file) }
    let size = part * parts / pieces
    for _ in 0..<pieces {
        var bytes = [UInt8](repeating: 0, count: size)
        guard read(file, &bytes, size) == size else { throw Failed() }
    }
}

private func recordSmall(_ folder: FolderClient, _ recorder: Recorder) async throws {
    try await folder.write([UInt8](repeating: 1, count: 1000), "small")
    var (stats, reads, writes): ([Double], [Double], [Double]) = ([], [], [])
    let time = { (work: () async throws -> Void) async throws in
        let begun = ContinuousClock.now
        try await work()
        return seconds(ContinuousClock.now - begun) * 1e6
    }
    for _ in 0..<2000 {
        stats.append(try await time { _ = try await folder.stat("small") })
        reads.append(try await time { _ = try await folder.bytes("small") })
    }
    for _ in 0..<200 {
        writes.append(try await time { try await folder.write([UInt8](repeating: 2, count: 1000), "small") })
    }
    await recorder.record("stat of a file", stats, unit: "µs", better: .lower)
    await recorder.record("read 1000 bytes", reads, unit: "µs", better: .lower)
    await recorder.record("write 1000 bytes, durably", writes, unit: "µs", better: .lower)
}

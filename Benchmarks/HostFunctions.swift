import Components
import Foundation
import HostFunctions

extension Suite {
    static let hostFunctions = Suite(name: "host-functions", about: "the functions that a core calls on its host") {
        recorder in
        let place = NSTemporaryDirectory() + "alcove-bench-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: place) }
        let functions = try HostFiles(folder: place).functions
        let content = [UInt8](repeating: 7, count: 8 << 20)
        let bytes = Double(content.count) * 8

        // What the script packs is packed before: the host begins with the bytes of the arguments.
        let whole = FsOpProto.WriteFileArgs(path: "f", writeFlag: "w", content: content).encoded
        try await compare("whole file of 8 MiB written", recorder, bytes) {
            try await call(functions, "fs_writeFile", whole)
        } raw: {
            try raw(place + "/raw", O_WRONLY | O_CREAT | O_TRUNC) { file in write(file, content, content.count) }
        }
        try await compare("whole file of 8 MiB read", recorder, bytes) {
            try await call(functions, "fs_readFile", FsOpProto.PathArgs(path: "f").encoded)
        } raw: {
            var buffer = [UInt8](repeating: 0, count: content.count)
            try raw(place + "/raw", O_RDONLY) { file in read(file, &buffer, buffer.count) }
        }

        let opened = try await call(functions, "fs_open", FsOpProto.OpenFileArgs(path: "f", openFlag: "r+").encoded)
        let file = try FnCallsProto.IntValue(decoding: opened).value
        let part = Array(content.prefix(1 << 20))
        let writes = (0..<8).map { FsOpProto.WriteAtFdPosArgs(fd: file, writePos: $0 << 20, chunk: part).encoded }
        try await compare("open file of 8 MiB written in parts of 1 MiB", recorder, bytes) {
            for write in writes { try await call(functions, "fh_write", write) }
        } raw: {
            try raw(place + "/raw", O_WRONLY) { file in
                (0..<8).reduce(0) { $0 + pwrite(file, part, part.count, $1 << 20) }
            }
        }
        let reads = (0..<8).map { FsOpProto.ReadFdPosArg(fd: file, readPos: $0 << 20, len: 1 << 20).encoded }
        try await compare("open file of 8 MiB read in parts of 1 MiB", recorder, bytes) {
            for read in reads { try await call(functions, "fh_read", read) }
        } raw: {
            var buffer = [UInt8](repeating: 0, count: part.count)
            try raw(place + "/raw", O_RDONLY) { file in
                (0..<8).reduce(0) { $0 + pread(file, &buffer, part.count, $1 << 20) }
            }
        }
        let count = 10_000
        let rounds = try await samples {
            for _ in 0..<count { try await call(functions, "fs_stat", FsOpProto.PathArgs(path: "f").encoded) }
        }
        await recorder.record(
            "fs_stat", rounds.map { $0 * 1_000_000 / Double(count) }, unit: "µs", better: .lower, aim: 20)
    }

    @discardableResult
    private static func call(
        _ functions: [String: NativeFunction], _ port: String, _ arguments: [UInt8]
    ) async throws -> [UInt8] {
        switch functions[port] {
        case .immediate(let body): try body(arguments)
        case .promise(let body): try await body(arguments)
        case nil: []
        }
    }

    /// Records ours as a part of what the system calls alone move.
    private static func compare(
        _ name: String, _ recorder: Recorder, _ bits: Double, ours: () async throws -> Void,
        raw: () async throws -> Void
    ) async throws {
        let (ours, raw) = (try await samples(ours), try await samples(raw))
        await recorder.record(name, ours.map { bits / $0 / 1_000_000 }, unit: "Mbit/s", better: .higher)
        await recorder.record(
            "\(name), of the raw calls", median(raw) / median(ours), unit: "×", better: .higher, aim: 0.5)
    }

    /// Seconds of each of some rounds, after one to warm up.
    private static func samples(_ body: () async throws -> Void) async throws -> [Double] {
        try await body()
        var samples: [Double] = []
        for _ in 0..<9 { samples.append(seconds(try await ContinuousClock().measure { try await body() })) }
        return samples
    }

    private static func raw(_ path: String, _ flags: Int32, _ body: (Int32) -> Int) throws {
        let file = open(path, flags | O_CLOEXEC, 0o600)
        defer { close(file) }
        precondition(body(file) == 8 << 20, "the system moved less than it was asked for")
    }
}

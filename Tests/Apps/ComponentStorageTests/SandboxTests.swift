import ComponentStorage
import Components
import Dispatch
import Foundation
import Platform
import StorageClient
import Synchronization
import Testing

@Suite("Whoever plants links and renames things meanwhile") struct SandboxTests {
    @Test("a link that others planted is never followed", arguments: ["/", "..", "../..", "../secret", "SECRET", "."])
    func planted(target: String) async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        try Data("secret".utf8).write(to: URL(fileURLWithPath: storage.path + "/secret"))
        let target = target == "SECRET" ? storage.path + "/secret" : target
        try storage.link("l", to: target)
        let calls: [@Sendable (String) async throws -> Void] = [
            { _ = try await folder.bytes($0) }, { _ = try await folder.text($0) }, { _ = try await folder.list($0) },
            { _ = try await folder.source($0) }, { _ = try await folder.readonlyFile($0) },
            { _ = try await folder.readonlySubRoot($0) }, { _ = try await folder.writableSubRoot($0) },
            { try await folder.write("x", $0) }, { _ = try await folder.sink($0) },
            { try await folder.makeFolder($0 + "/new") }, { try await folder.copyFile($0, "copy") },
            { try await folder.copyFolder($0, "copy") }, { try await folder.deleteFolder($0, withContent: true) },
            { try await folder.deleteFile($0) }, { _ = try await folder.attributes(of: $0) },
            { try await folder.change($0, set: [.init(xaName: "n", str: .init(value: "v"))]) },
            { _ = try await folder.readLink($0).file() },
        ]
        for (number, call) in calls.enumerated() {
            if target != "." || number < calls.count - 1 {
                #expect(try await failure { try await call("l") } != nil, "call \(number)")
            }
            #expect(try await failure { try await call("l/secret") } != nil, "call \(number)")
        }
        #expect(try await folder.names() == ["l"])
        #expect(try String(contentsOfFile: storage.path + "/secret", encoding: .utf8) == "secret")
        #expect(try FileManager.default.contentsOfDirectory(atPath: storage.path).sorted() == ["root", "secret"])
        try await folder.move("l", "d/l")
        try await folder.copyFolder("d", "e")
        try await folder.deleteFolder("d", withContent: true)
        #expect(try String(contentsOfFile: storage.path + "/secret", encoding: .utf8) == "secret")
    }

    @Test("a folder that turns into a link and back leads nowhere else", .timeLimit(.minutes(40))) func exchanged()
        async throws
    {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        try storage.write("inside", to: "d/file")
        try storage.write("", to: "spare/file")
        let outside = storage.path + "/outside"
        try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
        try Data("outside".utf8).write(to: URL(fileURLWithPath: outside + "/file"))
        try storage.link("l", to: outside)
        let isOver = Atomic(false)
        let root = storage.path + "/root"
        let racer = Thread.started {
            while !isOver.load(ordering: .relaxed) {
                // In one step: where there was nothing for an instant, the app would make a folder.
                exchange(root + "/d", root + "/l")
                exchange(root + "/d", root + "/l")
            }
        }
        // However the threads take turns: until the folder was found as well as missed.
        var (successes, misses, number) = (0, 0, 0)
        while number < 200 || successes == 0 || misses == 0 {
            number += 1
            if let text = try? await folder.text("d/file") {
                #expect(text == "inside")
                successes += 1
            } else {
                misses += 1
            }
            if let names = try? await folder.names("d") { #expect(!names.contains("outside")) }
            _ = try? await folder.write("inside", "d/file", .init(create: .no))
            _ = try? await folder.write("new", "d/new\(number % 10)")
            _ = try? await folder.copyFile("d/file", "d/copy", overwrite: true)
            _ = try? await folder.makeFolder("d/made")
            _ = try? await folder.deleteFile("d/new\(number % 10)")
            _ = try? await folder.deleteFolder("d/made", withContent: true)
        }
        isOver.store(true, ordering: .relaxed)
        await racer.ended()
        #expect(try await folder.text("d/file") == "inside")
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == ["file"])
        #expect(try String(contentsOfFile: outside + "/file", encoding: .utf8) == "outside")
    }

    @Test("writers of one file never mix what they write") func writers() async throws {
        let storage = try StorageFixture()
        let size = 20_000
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                let (host, app) = ConnectedEnds.make()
                let folder = try FolderClient(storage.root.serve(writable: true, on: host), on: app)
                group.addTask {
                    for round in 0..<30 {
                        let bytes = [UInt8](repeating: UInt8(writer * 30 + round), count: size)
                        if round.isMultiple(of: 2) {
                            try await folder.write(bytes, "f")
                        } else {
                            let sink = try await folder.sink("f")
                            try await sink.splice(0, 0, bytes)
                            try await sink.done()
                        }
                        let read = try await folder.bytes("f") ?? []
                        #expect(read.count == size)
                        #expect(Set(read).count == 1)
                    }
                    host.close()
                }
            }
            try await group.waitForAll()
        }
        #expect(storage.unfinished().isEmpty)
    }

    @Test("one of many makes an exclusive file") func exclusive() async throws {
        let storage = try StorageFixture()
        for round in 0..<20 {
            let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
                for writer in 0..<6 {
                    let root = try StorageRoot(storage.path + "/root")
                    let (host, app) = ConnectedEnds.make()
                    let folder = try FolderClient(root.serve(writable: true, on: host), on: app)
                    group.addTask {
                        defer { host.close() }
                        return try await failure {
                            try await folder.write("\(writer)", "f\(round)", .init(create: .yes, exclusive: .yes))
                        } == nil
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(winners == 1)
        }
    }
}

/// Gives two things each other's names, in one step.
private func exchange(_ one: String, _ other: String) {
    #if canImport(Darwin)
    renamex_np(one, other, UInt32(RENAME_SWAP))
    #else
    typealias Rename = @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
    // Swift does not import it.
    let rename = unsafeBitCast(dlsym(nil, "renameat2"), to: Rename.self)
    let exchanging: UInt32 = 1 << 1
    _ = rename(AT_FDCWD, one, AT_FDCWD, other, exchanging)
    #endif
}

@Suite("Large storages") struct SizeTests {
    @Test("a folder of many entries is listed whole") func listing() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        let names = (0..<20_000).map { "entry-\($0)" }
        try FileManager.default.createDirectory(atPath: storage.path + "/root/d", withIntermediateDirectories: true)
        for name in names {
            #expect(FileManager.default.createFile(atPath: "\(storage.path)/root/d/\(name)", contents: nil))
        }
        #expect(try await folder.names("d") == names.sorted())
        try await folder.deleteFolder("d", withContent: true)
        #expect(try await folder.names() == [])
    }

    @Test("a deep tree is made, reached and removed") func depth() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        let path = String(repeating: "d/", count: 200) + "file"
        try await folder.write("deep", path)
        #expect(try await folder.text(path) == "deep")
        try await folder.deleteFolder("d", withContent: true)
        #expect(try await folder.names() == [])
    }

    @Test("a file is written and read in parts") func parts() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        let part = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let sink = try await folder.sink("large")
        for number in 0..<24 { try await sink.splice(UInt64(number * part.count), 0, part) }
        try await sink.done()
        let source = try await folder.source("large")
        for _ in 0..<24 { #expect(try await source.next(UInt64(part.count)) == part) }
        #expect(try await source.next() == nil)
        #expect(try await folder.bytes("large", 5 << 20, 6 << 20) == part)
    }
}

extension Thread {
    /// A thread of its own, since what it does would hold up one of the pool.
    fileprivate static func started(_ work: @escaping @Sendable () -> Void) -> RunningThread {
        let (news, signal) = AsyncStream.makeStream(of: Void.self)
        let thread = Thread {
            work()
            signal.finish()
        }
        thread.start()
        return RunningThread(news: news)
    }
}

private struct RunningThread: Sendable {
    let news: AsyncStream<Void>

    func ended() async { for await _ in news {} }
}

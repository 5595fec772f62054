import ComponentStorage
import Components
import Foundation
import StorageClient
import Testing
import Wire

@Suite("Watching") struct WatchTests {
    /// What a watch tells, as JSON, until the condition holds of all that came.
    private func events(
        of folder: FolderClient, _ function: String, _ request: some ComponentMessage,
        until isEnough: ([String]) -> Bool, while change: @escaping @Sendable () async throws -> Void
    ) async throws -> [String] {
        let values = folder.object.observe(function, body: request.encoded)
        // Calls are served in order and on one thread, so the watch is there when this has been answered.
        try await started(folder)
        try await change()
        var events: [String] = []
        for try await value in values {
            events.append(try CommonProto.StringValue(decoding: value).value)
            if isEnough(events) { break }
        }
        return events
    }

    private func started(_ folder: FolderClient) async throws { _ = try await folder.isPresent("File", "x") }

    @Test("a folder tells what comes, goes and is renamed") func folder() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        try await folder.makeFolder("d/sub")
        try await folder.write("x", "d/old")
        try await folder.write("x", "d/gone")
        let request = FsProto.PathOnlyRequestBody(path: "d")
        let events = try await events(of: folder, "watchFolder", request) {
            $0.count == 4
        } while: {
            try await folder.deleteFile("d/gone")
            try await folder.move("d/old", "d/new")
            try await folder.write("y", "d/file")
            try await folder.makeFolder("d/folder")
            // Neither is told of a folder alone.
            try await folder.write("z", "d/file")
            try await folder.write("z", "d/sub/inner")
        }
        #expect(
            events.sorted() == [
                #"{"type":"entry-addition","path":"d","entry":{"name":"file","isFile":true},"src":"local"}"#,
                #"{"type":"entry-addition","path":"d","entry":{"name":"folder","isFolder":true},"src":"local"}"#,
                #"{"type":"entry-removal","path":"d","name":"gone","src":"local"}"#,
                #"{"type":"entry-renaming","path":"d","oldName":"old","newName":"new","src":"local"}"#,
            ])
    }

    @Test("what watches is told when everything is taken back", arguments: ["watchFolder", "watchTree", "watchFile"])
    func takenBack(function: String) async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        try await folder.write("x", "d/file")
        let path = function == "watchFile" ? "d/file" : "d"
        let values = folder.object.observe(function, body: FsProto.PathOnlyRequestBody(path: path).encoded)
        try await started(folder)
        storage.root.close()
        let failure = await #expect(throws: RuntimeException.self) { for try await _ in values {} }
        #expect(failure?.has("storageClosed") == true)
    }

    @Test("a folder that goes says so, and the watch ends") func removal() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        try await folder.write("x", "d/e/file")
        let request = FsProto.WatchTreeRequestBody(path: "d/e")
        // Without a condition: the watch has to end by itself.
        let events = try await events(of: folder, "watchTree", request) { _ in
            false
        } while: {
            try await folder.deleteFolder("d", withContent: true)
        }
        #expect(events.last == #"{"type":"removed","path":"d/e","src":"local"}"#)
    }

    @Test("a file tells of every new content, also by others, and of its end") func file() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        try await folder.write("x", "f")
        let request = FsProto.PathOnlyRequestBody(path: "f")
        let changed = try await events(of: folder, "watchFile", request) { _ in
            true
        } while: {
            try await folder.write("unwatched", "g")
            try storage.write("longer", to: "f")
        }
        #expect(changed == [#"{"type":"file-change","path":"f","newVersion":1,"src":"local"}"#])
        let gone = try await events(of: folder, "watchFile", request) { _ in
            false
        } while: {
            try await folder.deleteFile("f")
        }
        #expect(gone == [#"{"type":"removed","path":"f","src":"local"}"#])
        try await folder.write("x", "h")
        let watch = try await folder.readonlyFile("h").object.observe("watch")
        try await started(folder)
        try await folder.write("new", "h")
        var values = watch.makeAsyncIterator()
        let value = try #require(try await values.next())
        #expect(try CommonProto.StringValue(decoding: value).value.contains("file-change"))
    }

    @Test("a tree tells of folders in folders, as deep as was asked") func tree() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        try await folder.write("x", "a/b/c/file")
        let request = FsProto.WatchTreeRequestBody(path: "a", depth: CommonProto.UInt32Value(value: 1))
        let events = try await events(of: folder, "watchTree", request) {
            $0.count == 2
        } while: {
            try await folder.write("y", "a/b/c/deeper")
            try await folder.write("y", "a/b/new")
            try await folder.makeFolder("a/last")
        }
        #expect(
            events.sorted() == [
                #"{"type":"entry-addition","path":"a","entry":{"name":"last","isFolder":true},"src":"local"}"#,
                #"{"type":"entry-addition","path":"a/b","entry":{"name":"new","isFile":true},"src":"local"}"#,
            ])
        let all = FsProto.WatchTreeRequestBody(path: "")
        let deep = try await self.events(of: folder, "watchTree", all) {
            $0.count >= 5
        } while: {
            try await folder.write("changed", "a/b/c/file")
            // All of it is told, although notifications cannot be there before the folders are.
            try await folder.write("x", "n/e/w/file")
        }
        let added = ["n", "e", "w", "file"].map { "\"name\":\"\($0)\"" }
        for name in added { #expect(deep.contains { $0.contains("entry-addition") && $0.contains(name) }) }
        #expect(deep.contains(#"{"type":"file-change","path":"a/b/c/file","newVersion":2,"src":"local"}"#))
    }

    @Test("a storm of changes is told as what it came to") func storm() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        let request = FsProto.PathOnlyRequestBody(path: "")
        let events = try await events(of: folder, "watchFolder", request) {
            $0.last?.contains("\"last\"") == true
        } while: {
            for number in 0..<3000 { try storage.write("x", to: "f\(number % 300)") }
            for number in 0..<300 { try FileManager.default.removeItem(atPath: "\(storage.path)/root/f\(number)") }
            try await folder.write("x", "last")
        }
        #expect(events.count <= 601)
        // Whatever came also went.
        let additions = events.filter { $0.contains("addition") }.count
        let removals = events.filter { $0.contains("removal") }.count
        #expect(additions == removals + 1)
    }

    @Test("only so many places are watched, and what is not watched any more does not count") func limits() async throws
    {
        var limits = StorageLimits()
        limits.watches = 2
        let storage = try StorageFixture(limits: limits)
        let folder = try storage.folder()
        let request = FsProto.PathOnlyRequestBody(path: "").encoded
        for _ in 0..<3 {
            let one = folder.object.observe("watchFolder", body: request)
            let two = folder.object.observe("watchTree", body: request)
            var third = folder.object.observe("watchFolder", body: request).makeAsyncIterator()
            #expect(try await failure { try await third.next() } == "EMFILE limitExceeded")
            withExtendedLifetime((one, two)) {}
        }
    }

    @Test("all connections to all storages of an app share what it may watch", .timeLimit(.minutes(1)))
    func allowance() async throws {
        let allowance = WatchAllowance(2)
        let (one, two) = (try StorageFixture(watches: allowance), try StorageFixture(watches: allowance))
        let request = FsProto.PathOnlyRequestBody(path: "").encoded
        let (folder, other) = (try one.folder(), try two.folder())
        do {
            let watches = [folder, other].map { $0.object.observe("watchTree", body: request) }
            for folder in [folder, other] { try await started(folder) }
            for folder in [folder, other] {
                var third = folder.object.observe("watchFolder", body: request).makeAsyncIterator()
                #expect(try await failure { try await third.next() } == "EMFILE limitExceeded")
            }
            withExtendedLifetime(watches) {}
        }
        // What is not watched any more comes back soon, to all.
        for folder in [folder, other] {
            var value: [UInt8]?
            while value == nil {
                var values = folder.object.observe("watchTree", body: request).makeAsyncIterator()
                try await started(folder)
                try await folder.write("x", UUID().uuidString)
                value = try? await values.next()
            }
        }
    }

    @Test("what cannot be watched is said") func missing() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        for function in ["watchFolder", "watchTree", "watchFile"] {
            let request = FsProto.PathOnlyRequestBody(path: "none").encoded
            var values = folder.object.observe(function, body: request).makeAsyncIterator()
            #expect(try await failure { try await values.next() } == "ENOENT notFound")
        }
    }
}

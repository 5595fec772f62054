import ComponentStorage
import Components
import Foundation
import StorageClient
import Synchronization
import Testing

/// A machine may do the work before anybody looks. Then it was not taken back, and is done again.
@Suite("What is under way when a storage is taken back", .timeLimit(.minutes(5))) struct TakenBackTests {
    private func largeFile(in storage: StorageFixture) throws {
        try storage.write("", to: "large")
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: storage.path + "/root/large"))
        try file.truncate(atOffset: 2 << 30)
        try file.close()
    }

    /// Begins work, and waits until it is under way in a storage, or over.
    private func begin(
        in storage: StorageFixture, _ work: @escaping @Sendable () async throws -> Void
    ) async throws -> Task<String?, any Error> {
        let isOver = Flag()
        let task = Task {
            defer { isOver.raise() }
            return try await failure { try await work() }
        }
        while storage.unfinished().isEmpty, !isOver.isRaised { try await Task.sleep(for: .milliseconds(1)) }
        return task
    }

    @Test("copies that wait, and the one that is being made, end and leave nothing") func copies() async throws {
        while try await !copiesEnd() {}
    }

    private func copiesEnd() async throws -> Bool {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        try storage.write("x", to: "small")
        try largeFile(in: storage)
        let large = try await begin(in: storage) { try await folder.copyFile("large", "copy") }
        let waiting = (0..<150).map { number in
            Task { try await failure { try await folder.copyFile("small", "copy\(number)") } }
        }
        storage.root.close()
        var outcomes = [try await large.value]
        for one in waiting { outcomes.append(try await one.value) }
        guard outcomes[0] != nil else { return false }
        #expect(Set(outcomes) == ["storageClosed"])
        #expect(try storage.names() == ["large", "small"])
        #expect(storage.unfinished().isEmpty)
        return true
    }

    @Test("a copy into another storage ends when what it reads is taken back") func readingFromOthers() async throws {
        while try await !copyFromOthersEnds() {}
    }

    private func copyFromOthersEnds() async throws -> Bool {
        let (ours, theirs) = (try StorageFixture(), try StorageFixture())
        let given = try FolderClient(theirs.root.serve(writable: false, on: ours.host), on: ours.app)
        let folder = try ours.folder()
        try largeFile(in: theirs)
        let file = try await given.readonlyFile("large")
        let copying = try await begin(in: ours) { try await folder.save(file, "copy") }
        theirs.root.close()
        guard let outcome = try await copying.value else { return false }
        #expect(outcome == "storageClosed")
        #expect(try ours.names() == [])
        try await folder.write("x", "still here")
        return true
    }

    @Test("a folder that is being copied ends between two of its files") func folders() async throws {
        while try await !folderEnds() {}
    }

    private func folderEnds() async throws -> Bool {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        for number in 0..<2_000 { try storage.write("x", to: "many/\(number)") }
        let copying = try await begin(in: storage) { try await folder.copyFolder("many", "copy") }
        storage.root.close()
        guard let outcome = try await copying.value else { return false }
        #expect(outcome == "storageClosed")
        #expect(try storage.names() == ["many"])
        return true
    }

    @Test("what a search found is not told any more") func found() async throws {
        let storage = try StorageFixture()
        try storage.write("x", to: "file")
        var search = try storage.folder().object.observe("select", body: Criteria(pattern: "*").request.encoded)
            .makeAsyncIterator()
        let reference = try CommonProto.ObjectReference(decoding: #require(try await search.next()))
        #expect(try await search.next() == nil)
        let items = try storage.app.remote(reference, as: .collection)
        storage.root.close()
        #expect(try await failure { try await items.call("getAll") } == "storageClosed")
    }
}

private final class Flag: Sendable {
    private let value = Atomic(false)
    var isRaised: Bool { value.load(ordering: .relaxed) }
    func raise() { value.store(true, ordering: .relaxed) }
}

import Components
import Storage
import StorageClient
import Testing
import Wire

@testable import ComponentStorage

@Suite("Searches") struct SearchTests {
    @Test(
        "names are found by pattern, expression or exactly, as deep and of the kinds that are wanted",
        arguments: [
            (Criteria(pattern: "*.TXT"), ["/a.txt", "/d/b.txt", "/d/e/c.txt"]),
            (Criteria(pattern: "*.txt", depth: 0), ["/a.txt"]),
            (Criteria(pattern: "*.txt", depth: 1), ["/a.txt", "/d/b.txt"]),
            (Criteria(regexp: "^[bc]\\."), ["/d/b.txt", "/d/e/c.txt"]),
            (Criteria(exact: "e"), ["/d/e"]), (Criteria(type: ["folder"]), ["/d", "/d/e"]),
            (Criteria(type: ["link"]), ["/link"]), (Criteria(type: ["link", "folder"]), ["/d", "/d/e", "/link"]),
            (Criteria(pattern: "*.txt", action: "exclude"), ["/d", "/d/e", "/link"]),
            (Criteria(path: "d", pattern: "*"), ["/b.txt", "/e", "/e/c.txt"]),
        ])
    func finding(criteria: Criteria, names: [String]) async throws {
        let storage = try StorageFixture()
        for name in ["a.txt", "d/b.txt", "d/e/c.txt"] { try storage.write(name, to: name) }
        try storage.link("link", to: "d")
        let folder = try storage.folder()
        let search = folder.object.observe("select", body: criteria.request.encoded)
        let values = search.makeAsyncIterator()
        var found = values
        let reference = try CommonProto.ObjectReference(decoding: #require(try await found.next()))
        let collection = try storage.app.remote(reference, as: .collection)
        // The end says that the search is done.
        #expect(try await found.next() == nil)
        let reply = try await collection.call("getAll")
        let all = try FsProto.FSCGetAllReplyBody(decoding: reply ?? []).items
        #expect(all.map(\.name).sorted() == names)
        #expect(try await events(of: collection).map { $0.path?.value }.sorted { $0 ?? "" < $1 ?? "" } == names)
        #expect(try await iterated(collection).sorted() == names)
        let places = try all.map { try FolderClient(#require($0.item?.location?.fs), on: storage.app) }
        // What is found can be read where it says that it lies.
        for (item, place) in zip(all, places) where item.item?.isFile != nil {
            let location = try #require(item.item?.location)
            #expect(try await ("/" + place.text(location.path)).hasSuffix(location.path))
            #expect(location.path == item.name && location.storageType.isEmpty)
            #expect(!place.properties.writable)
            let get = FsProto.FSCGetRequestBody(name: item.name).encoded
            let one = try FsProto.FSCGetReplyBody(decoding: try await collection.call("get", body: get) ?? [])
            #expect(one.item?.isFile == .yes && one.item?.location?.path == location.path)
        }
        let none = try await collection.call("get", body: FsProto.FSCGetRequestBody(name: "none").encoded)
        #expect(try FsProto.FSCGetReplyBody(decoding: none ?? []).item == nil)
    }

    private func events(of collection: RemoteObject) async throws -> [FsProto.CollectionEvent] {
        var events: [FsProto.CollectionEvent] = []
        for try await value in collection.observe("watch") {
            events.append(try FsProto.CollectionEvent(decoding: value))
        }
        return events
    }

    private func iterated(_ collection: RemoteObject) async throws -> [String] {
        let reference = try CommonProto.ObjectReference(decoding: try await collection.call("entries") ?? [])
        let iterator = try collection.connection.remote(reference, as: .itemsIterator)
        var names: [String] = []
        while true {
            let result = try FsProto.IterResMsg(decoding: try await iterator.call("next") ?? [])
            if result.done?.value == true { return names }
            names.append(result.value?.name ?? "")
        }
    }

    @Test("a search beyond its limits, or of what is not there, says so") func limits() async throws {
        var limits = StorageLimits()
        limits.entries = 20
        limits.found = 5
        let storage = try StorageFixture(limits: limits)
        let folder = try storage.folder()
        for number in 0..<10 { try storage.write("", to: "a/\(number)") }
        #expect(try await failure { try await select(folder, Criteria()) } == "EMFILE limitExceeded")
        #expect(try await failure { try await select(folder, Criteria(exact: "5")) } == nil)
        for number in 0..<15 { try storage.write("", to: "b/\(number)") }
        #expect(try await failure { try await select(folder, Criteria(exact: "5")) } == "EMFILE limitExceeded")
        #expect(try await failure { try await select(folder, Criteria(path: "none")) } == "ENOENT notFound")
        // Before there is a collection.
        var values = folder.object.observe("select", body: Criteria(path: "none").request.encoded).makeAsyncIterator()
        #expect(try await failure { try await values.next() } == "ENOENT notFound")
        #expect(try await failure { try await select(folder, Criteria(regexp: "(")) } == "badFnCallArguments")
        #expect(try await failure { try await select(folder, Criteria(type: ["x"])) } == "badFnCallArguments")
        #expect(try await failure { try await select(folder, Criteria(action: "x")) } == "badFnCallArguments")
    }

    @Test("what searches found counts for as long as somebody holds it") func memory() throws {
        let storage = try StorageFixture()
        let memory = MemoryBudget(2000)
        let folder = FolderView(root: storage.root, base: ConfinedPath.root, writable: false, name: "")
        var found: FoundItems? = FoundItems(in: folder, memory: memory)
        let added = (0..<20).count { found?.add(FoundItems.Item(name: "name \($0)", kind: .file)) == true }
        #expect(added == 7 && found?.items.count == 7 && memory.count > 1800)
        found = nil
        #expect(memory.count == 0)
    }

    @Test("a search that compares too much ends") func work() async throws {
        var limits = StorageLimits()
        limits.searchSteps = 1000
        let storage = try StorageFixture(limits: limits)
        for number in 0..<50 { try storage.write("", to: "\(number)" + String(repeating: "a", count: 100)) }
        let folder = try storage.folder()
        #expect(try await failure { try await select(folder, Criteria(regexp: "(a|b)*c")) } == "EMFILE limitExceeded")
        #expect(try await failure { try await select(folder, Criteria(exact: "5")) } == nil)
    }

    @Test("a search has only so much time") func time() async throws {
        var limits = StorageLimits()
        limits.searchTime = .zero
        let storage = try StorageFixture(limits: limits)
        let folder = try storage.folder()
        #expect(try await failure { try await select(folder, Criteria()) } == "EMFILE limitExceeded")
    }

    @Test("what is not wanted any more is not done") func effort() throws {
        let storage = try StorageFixture()
        let effort = SearchEffort(storage.root.limits, at: try Location("", beneath: ConfinedPath.root))
        try effort.spend(entries: 1, steps: 1)
        effort.stop()
        #expect(throws: RuntimeException(ipc: .callCancelled)) { try effort.spend(entries: 0, steps: 0) }
    }

    /// Without the cancellation, what is asked afterwards would wait for minutes, and nothing would be told of the closing.
    @Test(
        "a search that nobody wants ends in the middle of a folder", .timeLimit(.minutes(5)), arguments: [true, false])
    func cancellation(byClosing: Bool) async throws {
        var limits = StorageLimits()
        limits.searchSteps = .max
        limits.searchTime = .seconds(1_000_000)
        let storage = try StorageFixture(limits: limits)
        for number in 0..<20_000 { try storage.write("", to: "\(number)" + String(repeating: "a", count: 240)) }
        let folder = try storage.folder()
        let (host, app) = ConnectedEnds.make()
        let other = try FolderClient(storage.root.serve(writable: false, on: host), on: app)
        let worst = Criteria(regexp: "^(a|b|c|d)*[0-9a-f]{250}(a*b*c*d*){15}$")
        let search = folder.object.observe("select", body: worst.request.encoded)
        var found = search.makeAsyncIterator()
        // The collection: from now on names are compared.
        _ = try await found.next()
        if byClosing { storage.app.close() } else { storage.root.close() }
        if byClosing {
            #expect(try await other.names().count == 20_000)
        } else {
            #expect(try await failure { _ = try await found.next() } == "storageClosed")
        }
    }

    private func select(_ folder: FolderClient, _ criteria: Criteria) async throws {
        for try await _ in folder.object.observe("select", body: criteria.request.encoded) {}
    }
}

struct Criteria: Sendable, CustomTestStringConvertible {
    var path = ""
    var exact: String?
    var pattern: String?
    var regexp: String?
    var depth: UInt32?
    var type: [String] = []
    var action = "include"

    var request: FsProto.SelectRequestBody {
        let value = { (text: String?) in text.map { CommonProto.StringValue(value: $0) } }
        return FsProto.SelectRequestBody(
            path: path,
            criteria: FsProto.SelectRequestBody.SelectCriteria(
                exactName: value(exact), pattern: value(pattern), regexp: value(regexp),
                depth: depth.map { CommonProto.UInt32Value(value: $0) }, type: type, action: action))
    }

    var testDescription: String {
        "\(exact ?? pattern ?? regexp ?? "all") \(depth.map { "\($0)" } ?? "") \(type) \(action)"
    }
}

import Components
import Synchronization
import Testing
import Wire

/// Objects by reference: what an id gives, and for how long.
struct ReferenceTests {
    private let drops = Drops()
    private let end = LoneEnd(root: ServiceObject(functions: ["f": .immediate { _ in [1] }]))

    private final class Drops: Sendable {
        private let value = Mutex(0)
        var count: Int { value.withLock { $0 } }
        func add() { value.withLock { $0 += 1 } }
    }

    private func file() -> ServiceObject {
        ServiceObject(type: .file, functions: ["stat": .immediate { _ in [7] }], subject: "a file", dropped: drops.add)
    }

    private func isFound(_ id: String, on end: LoneEnd? = nil) -> Bool {
        let end = end ?? self.end
        end.receive("start", 1, path: [id, "stat"])
        return end.takeReplies().last?.type == "end"
    }

    @Test func anExposedObjectIsCalledByItsIdAndGivenBackToItsOwner() throws {
        let reference = try end.connection.expose(file())
        #expect(reference.objType == "FileImpl" && reference.path.count == 1)
        let number = try #require(UInt64(reference.path[0]))
        #expect(number > 0 && number < 1 << 53)
        #expect(isFound(reference.path[0]))
        #expect(try end.connection.exposed(reference, as: .file).subject as? String == "a file")
    }

    @Test func anObjectThatIsPassedAgainGetsAReferenceOfItsOwn() throws {
        let file = file()
        let first = try end.connection.expose(file)
        let second = try end.connection.expose(file)
        #expect(first != second)
        end.receive("drop", nil, path: first.path)
        #expect(!isFound(first.path[0]) && isFound(second.path[0]))
        #expect(drops.count == 0)
        end.receive("drop", nil, path: second.path)
        #expect(drops.count == 1)
        end.receive("drop", nil, path: second.path)
        #expect(drops.count == 1 && end.ends == [])
    }

    @Test func anObjectIsDroppedWhenTheLastConnectionLetsGoOfIt() throws {
        let other = LoneEnd()
        let file = file()
        _ = try end.connection.expose(file)
        let reference = try other.connection.expose(file)
        other.connection.withdraw(reference)
        #expect(drops.count == 0)
        end.connection.close()
        #expect(drops.count == 1)
    }

    @Test func anObjectOfOneConnectionIsUnknownOnAnother() throws {
        let other = LoneEnd()
        let reference = try end.connection.expose(file())
        #expect(!isFound(reference.path[0], on: other))
        #expect(throws: RuntimeException(ipc: .objectNotFound, ["objType": "FileImpl"])) {
            try other.connection.exposed(reference, as: .file)
        }
        #expect(other.refused.count == 2)
    }

    @Test(arguments: [
        "", "0", "00", "w3n", "-1", "+1", " 1", "1.0", "1e3", "0x1", "٣", "9007199254740992", "99999999999999999999",
        "18446744073709551617", "__proto__",
    ])
    func whatIsNoIdIsNotFound(name: String) throws {
        let reference = CommonProto.ObjectReference(objType: "FileImpl", path: [name])
        #expect(throws: RuntimeException.self) { try end.connection.exposed(reference, as: .file) }
        #expect(!isFound(name))
        end.receive("drop", nil, path: [name])
        #expect(end.ends == [])
    }

    @Test func aReferenceIsTakenOnlyAsWhatItIs() throws {
        let good = try end.connection.expose(file())
        for forged in [
            CommonProto.ObjectReference(objType: "FSImpl", path: good.path),
            CommonProto.ObjectReference(objType: "FileImpl", path: []),
            CommonProto.ObjectReference(objType: "FileImpl", path: good.path + ["stat"]),
            CommonProto.ObjectReference(objType: "FileImpl", path: ["0" + good.path[0]]),
        ] {
            #expect(throws: RuntimeException.self) { try end.connection.exposed(forged, as: .file) }
            #expect(throws: RuntimeException.self) { try end.connection.exposed(forged, as: .fs) }
        }
    }

    @Test func theTreeOfCapabilitiesCannotBeDropped() {
        end.receive("drop", nil, path: ["w3n"])
        end.receive("start", 1, path: ["w3n", "f"])
        #expect(end.takeReplies() == [Reply("end", 1, [1])] && end.ends == [])
    }

    @Test func beyondTheLimitNothingIsExposedAndTheObjectIsLetGo() throws {
        var limits = ConnectionLimits()
        limits.objects = 2
        let end = LoneEnd(limits: limits)
        for _ in 0..<2 { _ = try end.connection.expose(file()) }
        #expect(throws: RuntimeException(ipc: .tooManyObjects)) { try end.connection.expose(file()) }
        #expect(drops.count == 1)
        end.connection.close()
        #expect(drops.count == 3)
        #expect(throws: RuntimeException(ipc: .ipcNotConnected)) { try end.connection.expose(file()) }
        #expect(drops.count == 4)
    }

    @Test func theLastProxyDropsItsObject() async throws {
        let pair = ConnectedPair()
        let reference = try pair.core.expose(file())
        var proxy: RemoteObject? = try pair.client.remote(reference, as: .file)
        var same: RemoteObject? = try pair.client.remote(reference, as: .file)
        #expect(proxy === same)
        #expect(try await proxy?.call("stat") == [7])
        proxy = nil
        #expect(pair.core.exposedCount == 1)
        same = nil
        #expect(pair.core.exposedCount == 0 && drops.count == 1)
        #expect(throws: RuntimeException.self) { try pair.client.remote(reference, as: .fs) }
    }

    @Test func callbacksGoTheOtherWay() async throws {
        let pair = ConnectedPair(
            root: ServiceObject(functions: [
                "pick": .promise { call throws(RuntimeException) in
                    let arguments = try [IPCValue](body: call.body)
                    let choose = try call.connection.remote(
                        arguments.argument(0) { $0.reference() }, as: .jsonFunction)
                    return try await choose.call(body: [IPCValue.json(["a", "b"])].body)
                }
            ]))
        let callback = ServiceObject(
            type: .jsonFunction,
            call: .immediateValues { arguments, _ in arguments == [.json(["a", "b"])] ? .string("b") : nil },
            dropped: drops.add)
        let reference = try pair.client.expose(callback)
        #expect(try await pair.client.call(["w3n", "pick"], values: [.reference(reference)]) == .string("b"))
        #expect(drops.count == 1)
    }
}

import Components
import Testing
import Wire

/// The envelopes of appendix A, byte for byte as JavaScript ends write them.
struct EnvelopeGoldenTests {
    private static func golden(_ hex: String) throws -> [UInt8] { try #require(unhex(hex)) }

    @Test func aCallWithoutArgumentsAndItsReply() throws {
        let root = ServiceObject(members: [
            "mailerid": ServiceObject(functions: [
                "getUserId": .immediateValues { arguments, _ in arguments.isEmpty ? .string("Bob @personal.net") : nil }
            ])
        ])
        let start = try Self.golden(
            "0a250a057374617274120208011a0377336e1a086d61696c657269641a0967657455736572496412020a00")
        let end = try Self.golden("0a090a03656e641202080112190a170a150a1322426f622040706572736f6e616c2e6e657422")
        let service = LoneEnd(root: root)
        service.connection.receive(start)
        #expect(service.take() == [end])

        let caller = LoneEnd()
        let results = Recorded<RuntimeException?>()
        caller.connection.observe(["w3n", "mailerid", "getUserId"], []) { _ in
        } end: { end in
            results.add(end)
        }
        #expect(caller.take() == [start])
        caller.connection.receive(end)
        #expect(results.all == [nil])
    }

    @Test func aCallWithArgumentsAndNoReply() throws {
        let logged = Recorded<[IPCValue]>()
        let root = ServiceObject(functions: [
            "log": .immediateValues { arguments, _ in
                logged.add(arguments)
                return nil
            }
        ])
        let service = LoneEnd(root: root)
        service.connection.receive(
            try Self.golden(
                "0a150a057374617274120208021a0377336e1a036c6f6712150a130a080a0622696e666f220a050a032261220a00"))
        #expect(logged.all == [[.string("info"), .string("a"), .undefined]])
        #expect(service.take() == [try Self.golden("0a090a03656e6412020802")])
    }

    @Test func valuesOfAnObservable() async throws {
        let interim = try Self.golden("0a0e0a07696e746572696d120308ac02120d0a0b0a090a077b2270223a357d")
        let root = ServiceObject(functions: [
            "watch": .observable { _, emitter throws(RuntimeException) in
                try await emitter.emit(IPCValue.json(["p": 5]))
            }
        ])
        let service = LoneEnd(root: root)
        service.receive("start", 300, path: ["w3n", "watch"])
        let sent = service.take()
        #expect(sent.first.map { Reply($0) } == Reply(interim))

        let caller = LoneEnd()
        let values = Recorded<[UInt8]>()
        for _ in 1...300 {
            caller.connection.observe(["w3n", "watch"]) { value in
                values.add(value)
            } end: { _ in
            }
        }
        caller.connection.receive(interim)
        #expect(try values.all.map { try IPCValue(reply: $0[...]) } == [.json(["p": 5])])
    }

    @Test func anException() throws {
        let exception = RuntimeException(type: "file", ["code": "ENOENT", "notFound": true])
        let service = LoneEnd(
            root: ServiceObject(functions: ["f": .immediate { _ throws(RuntimeException) in throw exception }]))
        service.receive("start", 1, path: ["w3n", "f"])
        let error = try Self.golden(
            "0a0b0a056572726f7212020801124b0a490a477b2272756e74696d65457863657074696f6e223a747275652c2274797065223a2266696c65"
                + "222c22636f6465223a22454e4f454e54222c226e6f74466f756e64223a747275657d")
        #expect(service.take() == [error])

        let caller = LoneEnd()
        let results = Recorded<RuntimeException?>()
        caller.connection.observe(["w3n", "f"]) { _ in
        } end: { end in
            results.add(end)
        }
        caller.connection.receive(error)
        #expect(results.all == [exception])
    }

    @Test func cancelling() throws {
        let caller = LoneEnd()
        for _ in 1...9 {
            caller.connection.observe(["w3n", "watch"]) { _ in
            } end: { _ in
            }
        }
        _ = caller.take()
        caller.connection.cancel(9)
        #expect(caller.take() == [try Self.golden("0a0c0a0663616e63656c12020809")])
    }

    @Test func dropping() throws {
        let caller = LoneEnd()
        let reference = CommonProto.ObjectReference(objType: "FSImpl", path: ["123456"])
        _ = try caller.connection.remote(reference, as: .fs)
        #expect(caller.take() == [try Self.golden("0a0e0a0464726f701a06313233343536")])
    }

    @Test func listing() async throws {
        let service = LoneEnd(root: ServiceObject(functions: ["log": .immediate { _ in nil }]))
        service.connection.receive(try Self.golden("0a130a086c6973742d6f626a120208041a0377336e"))
        #expect(service.takeReplies() == [Reply("end", 4, CommonProto.StringArrayValue(values: ["log"]).encoded)])
    }

    @Test func plainErrors() {
        #expect(RuntimeException(plain: "boom").errorValue == unhex("1204626f6f6d"))
        #expect(RuntimeException(errorValue: (unhex("1204626f6f6d") ?? [])[...]) == RuntimeException(plain: "boom"))
    }

    @Test(
        arguments: [
            ("0a0722050a03010203", [.bytes([1, 2, 3])]),
            (
                "0a340a1f7b2261223a312c2262223a6e756c6c2c2263223a7b2264223a6e756c6c7d7d12060a010912016212090a0108120163120164",
                [
                    .json(
                        ["a": 1, "b": nil, "c": ["d": nil]],
                        [.init(["b"], .bytes([9])), .init(["c", "d"], .bytes([8]))])
                ]
            ),
            ("0a060a046e756c6c", [.json(nil)]),
            ("0a00", [.undefined]),
            ("0a122a10120e0a0846696c65496d706c12023535", [.reference(.init(objType: "FileImpl", path: ["55"]))]),
            ("", []),
        ] as [(String, [IPCValue])])
    func packedValues(hex text: String, values: [IPCValue]) throws {
        let bytes = try #require(unhex(text))
        #expect(try [IPCValue](body: bytes[...]) == values)
        #expect(hex(values.body) == hex(bytes))
    }
}

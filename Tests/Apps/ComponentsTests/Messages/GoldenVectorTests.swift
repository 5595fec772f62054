import Components
import Testing
import Wire

@Suite("Golden vectors of the messages")
struct GoldenVectorTests {
    @Test("A proto2 message is the bytes that other implementations write", arguments: hostVectors)
    func hostLayer(vector: Vector) throws {
        #expect(hex(vector.encoded) == vector.bytes)
        #expect(try vector.isSaid(by: try #require(unhex(vector.bytes))))
    }

    /// Other implementations write zeros that ours leaves out, so these are compared by what they say.
    @Test("A proto3 message of another implementation says what ours says", arguments: ipcVectors)
    func objectIPC(vector: Vector) throws {
        #expect(try vector.isSaid(by: try #require(unhex(vector.bytes))))
        #expect(try vector.isSaid(by: vector.encoded))
    }
}

/// A message and its bytes as another implementation writes them.
struct Vector: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: String
    let encoded: [UInt8]
    private let compare: @Sendable ([UInt8]) throws -> Bool

    init<Message: ComponentMessage>(_ name: String, _ message: Message, _ bytes: String) {
        testDescription = name
        self.bytes = bytes
        encoded = message.encoded
        compare = { try Message(decoding: $0) == message }
    }

    func isSaid(by bytes: [UInt8]) throws -> Bool { try compare(bytes) }
}

func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

func unhex(_ text: String) -> [UInt8]? {
    let digits = text.compactMap(\.hexDigitValue)
    guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

private let hostVectors = [
    Vector(
        "call into JS",
        FnCallsProto.RequestWithinCallIntoJS(id: 1, fnName: "init", args: InitProto.DataDirArgs(dataDir: "/d").encoded),
        "08011204696e69741a040a022f64"),
    Vector("call into native", FnCallsProto.RequestWithinCallIntoAndroid(id: 1, args: []), "08011200"),
    Vector("reply, native side", FnCallsProto.ReplyWithinCall(id: 1, res: []), "08011200"),
    Vector("reply, script side", FnCallsProto.ReplyWithinCall(id: 1, res: [], err: ""), "080112001a00"),
    Vector(
        "reply, file exception",
        FnCallsProto.ReplyWithinCall(
            id: 2, res: [], err: #"{"runtimeException":true,"type":"file","code":"ENOENT","path":""}"#),
        "080212001a417b2272756e74696d65457863657074696f6e223a747275652c2274797065223a2266696c65222c22636f6465223a22454e"
            + "4f454e54222c2270617468223a22227d"),
    Vector("IntValue", FnCallsProto.IntValue(value: -1), "08ffffffffffffffffff01"),
    Vector("BooleanValue", FnCallsProto.BooleanValue(value: false), "0800"),
    Vector(
        "Stats",
        FsOpProto.Stats(
            isFile: true, isDirectory: false, isSymbolicLink: false, birthtimeMs: 1_700_000_000_000,
            mtimeMs: 1_700_000_000_001, atimeMs: 1_700_000_000_002, size: 5, blocks: 1, blksize: 4096),
        "0801100018002080d095ffbc312881d095ffbc313082d095ffbc3138054001488020"),
    Vector("ReadFdPosArg", FsOpProto.ReadFdPosArg(fd: 1, readPos: 0, len: 10), "08011000180a"),
    Vector("WriteAtFdPosArgs", FsOpProto.WriteAtFdPosArgs(fd: 1, chunk: [1]), "08011a0101"),
    Vector(
        "RequestArgs",
        RequestOpProto.RequestArgs(
            method: "POST", url: "https://x/y", responseType: "json", sessionId: "s",
            requestHeaders: [RequestOpProto.Header(name: "a", value: "b")], responseHeaders: ["X-Z"],
            contentType: "application/json", body: Array("{}".utf8)),
        "0a04504f5354120b68747470733a2f2f782f791a046a736f6e2201732a060a01611201623203582d5a4a106170706c69636174696f6e2f"
            + "6a736f6e52027b7d"),
    Vector(
        "Reply",
        RequestOpProto.Reply(
            status: 200, responseHeaders: [RequestOpProto.Header(name: "X-Z", value: "1")], body: [1]),
        "08c80112080a03582d5a1201311a0101"),
    Vector("WSOpeningReply", RequestOpProto.WSOpeningReply(status: 200, socketId: 3), "08c8011003"),
    Vector(
        "ComponentEntrypointArgs",
        ComponentsProto.ComponentEntrypointArgs(connectorId: "3", appDomain: "a.b", entrypoint: "/index.html"),
        "0a01331203612e621a0b2f696e6465782e68746d6c"),
    Vector(
        "CryptArgs", KeystoreOpProto.CryptArgs(keyName: "login-key", data: [1, 2]), "0a096c6f67696e2d6b657912020102"),
]

private func envelope(_ type: String, call: UInt64? = nil, path: [String] = [], body: [UInt8]? = nil)
    -> IpcProto.Envelope
{
    IpcProto.Envelope(
        headers: IpcProto.EnvelopeHeaders(
            msgType: type, fnCallNum: call.map { CommonProto.UInt64Value(value: $0) }, path: path),
        body: body.map { CommonProto.BytesValue(value: $0) })
}

private func values(_ values: JsonIpcProto.Value...) -> JsonIpcProto.ValuesSequence {
    JsonIpcProto.ValuesSequence(values: values)
}

private let ipcVectors = [
    Vector(
        "start, no arguments", envelope("start", call: 1, path: ["w3n", "mailerid", "getUserId"], body: []),
        "0a250a057374617274120208011a0377336e1a086d61696c657269641a0967657455736572496412020a00"),
    Vector(
        "start, arguments",
        envelope(
            "start", call: 2, path: ["w3n", "log"],
            body: values(
                JsonIpcProto.Value(json: "\"info\""), JsonIpcProto.Value(json: "\"a\""), JsonIpcProto.Value()
            ).encoded),
        "0a150a057374617274120208021a0377336e1a036c6f6712150a130a080a0622696e666f220a050a032261220a00"),
    Vector(
        "end, string",
        envelope("end", call: 1, body: values(JsonIpcProto.Value(json: "\"Bob @personal.net\"")).encoded),
        "0a090a03656e641202080112190a170a150a1322426f622040706572736f6e616c2e6e657422"),
    Vector("end, no body", envelope("end", call: 1), "0a090a03656e6412020801"),
    Vector(
        "interim", envelope("interim", call: 300, body: values(JsonIpcProto.Value(json: #"{"p":5}"#)).encoded),
        "0a0e0a07696e746572696d120308ac02120d0a0b0a090a077b2270223a357d"),
    Vector(
        "error",
        envelope(
            "error", call: 1,
            body: CommonProto.ErrorValue(
                runtimeExcJson: #"{"runtimeException":true,"type":"file","code":"ENOENT","notFound":true}"#
            ).encoded),
        "0a0b0a056572726f7212020801124b0a490a477b2272756e74696d65457863657074696f6e223a747275652c2274797065223a2266696c"
            + "65222c22636f6465223a22454e4f454e54222c226e6f74466f756e64223a747275657d"),
    Vector("cancel", envelope("cancel", call: 9), "0a0c0a0663616e63656c12020809"),
    Vector("drop", envelope("drop", path: ["123456"]), "0a0e0a0464726f701a06313233343536"),
    Vector("list-obj", envelope("list-obj", call: 4, path: ["w3n"]), "0a130a086c6973742d6f626a120208041a0377336e"),
    Vector("ErrorValue", CommonProto.ErrorValue(err: "boom"), "1204626f6f6d"),
    Vector("ObjectReference", CommonProto.ObjectReference(objType: "FSImpl", path: ["77"]), "0a064653496d706c12023737"),
    Vector("UInt64Value", CommonProto.UInt64Value(value: 1 << 40), "08808080808020"),
    Vector("UInt64Value of zero", CommonProto.UInt64Value(), "0800"),
    Vector(
        "bytes", values(JsonIpcProto.Value(arr: JsonIpcProto.BinaryValue(arr: [1, 2, 3]))), "0a0722050a03010203"),
    Vector(
        "object with bytes",
        values(
            JsonIpcProto.Value(
                json: #"{"a":1,"b":null,"c":{"d":null}}"#,
                binaryInJson: [
                    JsonIpcProto.BinaryValue(arr: [9], objLocation: ["b"]),
                    JsonIpcProto.BinaryValue(arr: [8], objLocation: ["c", "d"]),
                ])),
        "0a340a1f7b2261223a312c2262223a6e756c6c2c2263223a7b2264223a6e756c6c7d7d12060a010912016212090a0108120163120164"),
    Vector("null", values(JsonIpcProto.Value(json: "null")), "0a060a046e756c6c"),
    Vector("undefined", values(JsonIpcProto.Value()), "0a00"),
    Vector(
        "object by reference",
        values(
            JsonIpcProto.Value(
                transferred: JsonIpcProto.TransferredObj(
                    objRef: CommonProto.ObjectReference(objType: "FileImpl", path: ["55"])))),
        "0a122a10120e0a0846696c65496d706c12023535"),
]

import ComponentStorage
import Components
import Dispatch
import Foundation
import StorageClient
import Wire

/// Reads any bytes as calls of the objects of a storage, with links that others plant in between. Nothing outside of the storage is
/// read or changed, and every call is answered.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzComponentFiles(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let script = Array(UnsafeBufferPointer(start: start, count: count))
    let isDone = DispatchSemaphore(value: 0)
    Task {
        await Playground.run(script)
        isDone.signal()
    }
    isDone.wait()
    return 0
}

private struct Playground {
    private let place: String
    private let app: ObjectConnection
    private let host: ObjectConnection
    private var script: ArraySlice<UInt8>
    /// Everything that was ever given, by its path.
    private var objects: [CommonProto.ObjectReference] = []

    private static let secret = "what nobody but the host may see"
    private static let parent = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"
    private static let functions = [
        "checkFilePresence", "checkFolderPresence", "getByteSource", "getXAttr", "listFolder", "readBytes", "readLink",
        "readTxtFile", "readonlyFile", "readonlySubRoot", "select", "stat", "copyFile", "copyFolder", "deleteFile",
        "deleteFolder", "deleteLink", "getByteSink", "link", "makeFolder", "move", "saveFile", "saveFolder",
        "updateXAttrs", "writableFile", "writableSubRoot", "writeBytes", "writeJSONFile", "readNext", "readAt", "seek",
        "splice", "truncate", "showLayout", "done", "getSize", "copy", "writeTxt", "readBytes", "getAll", "entries",
        "next", "get", "listXAttrs", "close",
    ]
    private static let names = ["a", "b", "..", "l", ".", "", "a/b", "b/l/a", "../secret", "/", ".alcove-work", "a\0"]

    static func run(_ script: [UInt8]) async {
        let place = "\(parent)/fuzz-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
        defer { try? FileManager.default.removeItem(atPath: place) }
        do {
            try FileManager.default.createDirectory(atPath: place + "/root", withIntermediateDirectories: true)
            try Data(secret.utf8).write(to: URL(fileURLWithPath: place + "/secret"))
            var playground = try Playground(script, in: place)
            await playground.play()
            let names = try FileManager.default.contentsOfDirectory(atPath: place)
            precondition(names.count == 2, "something lies outside")
            let text = try String(contentsOfFile: place + "/secret", encoding: .utf8)
            precondition(text == secret, "the secret was written")
        } catch {
            fatalError("\(error)")
        }
    }

    private init(_ script: [UInt8], in place: String) throws {
        var limits = StorageLimits()
        limits.quota = 200_000
        limits.entries = 200
        (host, app) = ConnectedEnds.make()
        self.place = place
        self.script = script[...]
        let root = try StorageRoot(place + "/root", limits: limits)
        objects = [try root.serve(writable: true, on: host).impl, try root.serve("a", writable: false, on: host).impl]
            .compactMap(\.self)
    }

    private mutating func next() -> UInt8 { script.popFirst() ?? 0 }

    private mutating func play() async {
        for _ in 0..<40 where !script.isEmpty {
            if next() < 16 {
                symlink(Self.names[Int(next()) % Self.names.count], "\(place)/root/\(next() % 2 == 0 ? "l" : "b/l")")
                continue
            }
            let object = objects[Int(next()) % objects.count]
            let function = Self.functions[Int(next()) % Self.functions.count]
            await call(object, function, next() < 200 ? body(of: function) : (0..<next() % 24).map { _ in next() })
        }
        host.close()
    }

    /// A request with the fields that the function takes, or almost.
    private mutating func body(of function: String) -> [UInt8] {
        var writer = ProtobufWriter()
        let path = Self.names[Int(next()) % Self.names.count]
        switch function {
        case "readNext", "readAt", "seek", "splice", "truncate":
            writer.write(UInt64(next()) << (next() % 64), 1)
            writer.write(UInt64(next()), 2)
            writer.write([0x0a, 3, 1, 2, 3] as [UInt8], function == "splice" ? 3 : 4)
        case "saveFile", "saveFolder", "copy":
            writer.write(objects[Int(next()) % objects.count].encoded, 1)
            writer.write(path, 2)
        case "done": if next() % 2 == 0 { writer.write([] as [UInt8], 1) }
        default:
            writer.write(path, 1)
            switch function {
            case "link": writer.write(objects[Int(next()) % objects.count].encoded, 2)
            case "getXAttr", "copyFile", "copyFolder", "move", "writeJSONFile":
                writer.write(Self.names[Int(next()) % Self.names.count], 2)
            case "writeBytes": writer.write([UInt8](repeating: 1, count: Int(next()) << 8), 2)
            default: writer.write([0x08, next() % 2], 2)
            }
            if next() % 2 == 0 { writer.write([0x0a, 2, 0x08, next() % 2, 0x12, 2, 0x08, next() % 2], 3) }
        }
        return writer.bytes
    }

    private mutating func call(_ object: CommonProto.ObjectReference, _ function: String, _ body: [UInt8]) async {
        let path = function == "readLink" && body.count % 5 == 0 ? object.path : object.path + [function]
        guard let reply = try? await app.call(path, body).map(Array.init) else { return }
        precondition(!reply.contains(Self.secret), "the secret came out")
        precondition(!reply.contains(place), "the place of the storage came out")
        guard objects.count < 100 else { return }
        for found in references(in: reply, depth: 0) { objects.append(found) }
    }

    /// Whatever in a reply looks like a reference.
    private func references(in bytes: [UInt8], depth: Int) -> [CommonProto.ObjectReference] {
        if let reference = try? CommonProto.ObjectReference(decoding: bytes), reference.path.count == 1,
            ObjectType(rawValue: reference.objType) != nil
        {
            return [reference]
        }
        guard depth < 4 else { return [] }
        var found: [CommonProto.ObjectReference] = []
        var reader = ProtobufReader(bytes)
        while let field = try? reader.next() {
            guard let inner = try? field.slice(atMost: bytes.count) else { continue }
            found += references(in: Array(inner), depth: depth + 1)
        }
        return found
    }
}

extension [UInt8] {
    fileprivate func contains(_ text: String) -> Bool { String(decoding: self, as: UTF8.self).contains(text) }
}

import Components
import Foundation
import HostFunctions

/// A folder for the ports, beside a file and a folder that they must not touch.
private let place = NSTemporaryDirectory() + "alcove-fuzz-\(UUID().uuidString)"
private let secret = Data("secret".utf8)

private func prepare() {
    try? FileManager.default.removeItem(atPath: place)
    for name in ["root/a/b", "outside"] {
        try? FileManager.default.createDirectory(atPath: "\(place)/\(name)", withIntermediateDirectories: true)
    }
    _ = FileManager.default.createFile(atPath: place + "/outside/file", contents: secret)
    // Planted by another program: out, round in circles, and back in.
    for (name, target) in [
        ("out", "../outside"), ("loop", "a/loop"), ("a/loop", "../loop"), ("a/in", place + "/root/a/b"),
    ] {
        try? FileManager.default.createSymbolicLink(atPath: "\(place)/root/\(name)", withDestinationPath: target)
    }
}

/// Takes what the fuzzer chose apart.
private struct Choices {
    var bytes: ArraySlice<UInt8>

    mutating func byte() -> Int { Int(bytes.popFirst() ?? 0) }

    mutating func path() -> String {
        let names = [
            "a", "b", "out", "loop", "in", "..", ".", "f", "", "file", place, "/", "outside", "\u{301}", "root",
        ]
        return (0..<byte() % 5).map { _ in names[byte() % names.count] }.joined(separator: "/")
    }

    mutating func number() -> Int64 { [0, 1, -1, 5, 4096, .max, .min, 1 << 31][byte() % 8] }

    mutating func chunk() -> [UInt8] { Array(repeating: UInt8(byte()), count: byte()) }

    /// The arguments of a port; sometimes any bytes.
    mutating func arguments(_ port: String) -> [UInt8] {
        let descriptor = Int32(truncatingIfNeeded: byte() % 6)
        switch port {
        case _ where byte() % 16 == 0: return chunk()
        case "fs_copyFile": return FsOpProto.CopyFileArgs(src: path(), dst: path(), overwrite: byte() % 2 == 0).encoded
        case "fs_rename": return FsOpProto.RenameArgs(oldPath: path(), newPath: path()).encoded
        case "fs_symlink": return FsOpProto.SymLinkCreateArgs(path: path(), target: path()).encoded
        case "fs_mkdir", "fs_rmdir": return FsOpProto.DirRecursiveArgs(path: path(), recursive: byte() % 2 == 0).encoded
        case "fs_writeFile":
            return FsOpProto.WriteFileArgs(
                path: path(), writeFlag: ["w", "wx", "r+", "a", "?"][byte() % 5], content: chunk()
            ).encoded
        case "fs_appendFile": return FsOpProto.AppendFileArgs(path: path(), chunk: chunk()).encoded
        // Lengths that a disk has room for.
        case "fs_truncate": return FsOpProto.TruncateFileArgs(path: path(), len: Int64(byte()) - 1).encoded
        case "fh_truncate": return FsOpProto.FdTruncateArgs(fd: descriptor, len: Int64(byte()) - 1).encoded
        case "fs_open":
            return FsOpProto.OpenFileArgs(path: path(), openFlag: ["r", "r+", "w", "wx+", "a+", "q"][byte() % 6])
                .encoded
        case "fh_read":
            return FsOpProto.ReadFdPosArg(fd: descriptor, readPos: number(), len: Int32(clamping: number())).encoded
        case "fh_write":
            let position = number()
            return FsOpProto.WriteAtFdPosArgs(
                fd: descriptor, writePos: position > 1 << 20 ? nil : position, chunk: chunk()
            ).encoded
        case _ where port.hasPrefix("fh_"): return FsOpProto.FdArgs(fd: descriptor).encoded
        default: return FsOpProto.PathArgs(path: path()).encoded
        }
    }
}

private func call(_ function: NativeFunction, _ arguments: [UInt8]) {
    switch function {
    case .immediate(let body): _ = try? body(arguments)
    case .promise(let body):
        let done = DispatchSemaphore(value: 0)
        Task {
            _ = try? await body(arguments)
            done.signal()
        }
        done.wait()
    }
}

/// Calls ports in any order with any arguments. Nothing traps, and nothing outside of the folder changes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFilePorts(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    prepare()
    var choices = Choices(bytes: Array(UnsafeBufferPointer(start: start, count: count))[...])
    guard let files = try? HostFiles(folder: place + "/root") else { preconditionFailure("the folder is gone") }
    let functions = files.functions.sorted { $0.key < $1.key }
    for _ in 0..<64 where !choices.bytes.isEmpty {
        let (port, function) = functions[choices.byte() % functions.count]
        // It would flush the disk of this machine.
        if port == "fh_sync" { continue }
        call(function, choices.arguments(port))
    }
    files.close()
    let outside = try? FileManager.default.contentsOfDirectory(atPath: place + "/outside")
    let around = try? FileManager.default.contentsOfDirectory(atPath: place).sorted()
    precondition(outside == ["file"] && around == ["outside", "root"], "something outside was made or removed")
    precondition(FileManager.default.contents(atPath: place + "/outside/file") == secret, "a file outside was changed")
    return 0
}

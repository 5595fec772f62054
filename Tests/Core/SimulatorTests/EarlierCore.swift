import Foundation
import ProgramRunner

/// `Cores/earlier.c`, compiled for a test: a core of the shape that the earlier simulator had.
struct EarlierCore {
    struct CannotCompile: Error { let output: String }

    let path: String
    private let folder: URL

    /// - Parameter hasPlaces: whether the core says where its nodes are.
    init(hasPlaces: Bool = true) throws {
        folder = URL(fileURLWithPath: NSTemporaryDirectory()).appending(path: "alcove-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appending(path: "libearlier.so").path
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Cores/earlier.c").path
        let choice = hasPlaces ? [] : ["-DWITHOUT_PLACES"]
        let result = try Program.run(
            ["cc", "-std=c11", "-Wall", "-Wextra", "-shared", "-fPIC"] + choice + ["-o", path, source])
        guard result.status == 0 else { throw CannotCompile(output: result.output) }
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }
}

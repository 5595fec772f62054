/// The code of apps, which the core keeps.
extension CoreHost {
    /// A file of a component's app. Read in parts, so that neither side holds much at once.
    ///
    /// Throws `missing` when it is not there, and `limit` when it is longer than ``fileLimit``.
    package func file(_ path: String, of connector: String) async throws(CoreError) -> [UInt8] {
        guard let size = try await functions.fileSize(path, of: connector) else {
            throw CoreError(.missing, "there is no \(path) in the app")
        }
        guard size <= Self.fileLimit else {
            throw CoreError(.limit, "\(path) is longer than \(Self.fileLimit) bytes")
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        while bytes.count < size {
            let end = min(bytes.count + Self.partByteCount, size)
            let part = try await functions.readFile(path, of: connector, Int32(bytes.count)..<Int32(end))
            guard !part.isEmpty, part.count <= end - bytes.count else {
                throw CoreError(.malformedAnswer, "the core gave other bytes of \(path) than it was asked for")
            }
            bytes += part
        }
        return bytes
    }

    /// What a component may call, by path, as a preload asks for it: breadth first from `w3n`.
    package func capabilities(of connector: String) async throws(CoreError) -> [[String]: [String]] {
        var found: [[String]: [String]] = [:]
        var level = [["w3n"]]
        for _ in 0..<Self.depthLimit {
            var next: [[String]] = []
            for path in level where found.count < Self.pathLimit {
                let names = try await functions.names(at: path, in: connector)
                found[path] = names
                next += names.map { path + [$0] }
            }
            level = next
        }
        // Functions have nothing below them, as has what does not exist.
        return found.filter { $0.key == ["w3n"] || !$0.value.isEmpty }
    }

    /// Bytes of a file.
    package static let fileLimit = 64 << 20
    private static let partByteCount = 128 << 10
    /// The deepest capabilities are `w3n/system/apps/opener` and the like.
    private static let depthLimit = 4
    private static let pathLimit = 1000
}

import Foundation

/// Makes pixels of an SVG with `rsvg-convert` (Debian: librsvg2-bin).
enum Rasterizer {
    /// A PNG of twice the size in points, as on a usual display.
    static func png(of svg: String) async throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["rsvg-convert", "--format", "png", "--zoom", "2"]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        async let bytes = Task.detached { try output.fileHandleForReading.readToEnd() ?? Data() }.value
        try? input.fileHandleForWriting.write(contentsOf: Data(svg.utf8))
        try? input.fileHandleForWriting.close()
        let data = try await bytes
        process.waitUntilExit()
        guard process.terminationStatus == 0, !data.isEmpty else {
            throw CommandFailure(
                "PNG needs rsvg-convert: apt-get install librsvg2-bin, or take --format svg", .unavailable)
        }
        return [UInt8](data)
    }
}

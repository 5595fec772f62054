import Foundation
import MediaHeaders

/// Files that FFmpeg made: the seeds of the fuzzer.
enum Samples {
    private static let folder = URL(fileURLWithPath: #filePath).appending(path: "../../../../Fuzz/MediaHeaders/seeds")
        .standardizedFileURL

    static func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: folder.appending(path: name))) }

    static let pictures = ["plain.png", "plain.jpg", "plain.gif", "lossy.webp"]
    static let sounds = ["opus.ogg", "known.webm", "live.webm", "aac.m4a", "plain.wav"]
}

/// Numbers as files have them.
func little(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
}
func big(_ number: Int, _ count: Int) -> [UInt8] { little(number, count).reversed() }
func text(_ text: String) -> [UInt8] { Array(text.utf8) }

import Foundation

/// Carries files between folders as a file syncer does: each file goes from its owner to the others, whole or in part, in any
/// order, and perhaps again.
struct Syncer {
    let folders: [URL]
    var random: SeededGenerator
    /// Who wrote a file first owns it.
    private var owners: [String: URL] = [:]

    init(_ folders: [URL], seed: UInt64) {
        self.folders = folders
        random = SeededGenerator(seed: seed)
    }

    /// Brings some of the files, some of them cut short, some of them twice.
    mutating func carrySome() throws {
        try carry { random in
            switch Int.random(in: 0..<4, using: &random) {
            case 0: nil
            case 1: Double.random(in: 0...1, using: &random)
            default: 1
            }
        }
    }

    /// Brings all files whole.
    mutating func carryAll() throws { try carry { _ in 1 } }

    /// - Parameter share: how much of a file arrives; nil if it does not.
    private mutating func carry(_ share: (inout SeededGenerator) -> Double?) throws {
        var deliveries: [(file: String, from: URL, to: URL)] = []
        for folder in folders {
            for file in Place.files(below: folder) {
                if owners[file] == nil { owners[file] = folder }
                guard owners[file] == folder else { continue }
                deliveries += folders.filter { $0 != folder }.map { (file, folder, $0) }
            }
        }
        deliveries.shuffle(using: &random)
        for delivery in deliveries {
            guard let share = share(&random) else { continue }
            let bytes = try Data(contentsOf: delivery.from.appending(path: delivery.file))
            let target = delivery.to.appending(path: delivery.file)
            let there = (try? Data(contentsOf: target))?.count ?? -1
            // A syncer never makes a file older than it is.
            let count = max(Int(Double(bytes.count) * share), there)
            guard count > there else { continue }
            try FileManager.default.createDirectory(
                at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
            try bytes.prefix(count).write(to: target, options: .atomic)
        }
    }
}

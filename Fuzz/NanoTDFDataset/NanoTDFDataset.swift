import Cryptography
import NanoTDF

/// What an input can put together: one header, and payloads under it that are numbered in both byte orders. Each payload says
/// its vector, so that what was opened shows what was left out.
private struct Pieces {
    /// The first numbers, and those around which one byte order looks like the other.
    static let numbers = Array(0...300) + Array(65_530...65_540) + Array(131_070...131_076)

    let key: EllipticCurve.PrivateKey
    let header: [UInt8]
    let payloads: [[UInt8]]

    init() throws {
        key = try EllipticCurve.PrivateKey(.p256)
        let sealer = try NanoTDFSealer(kas: ResourceLocator(url: "https://kas.example.com"), policy: .plain([]))
        let (key, ephemeral) = (key, try EllipticCurve.PrivateKey(.p256))
        let bigEndian = Self.numbers.map { number in [16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
        let files = try (bigEndian + bigEndian.map { $0.reversed() }).map { vector in
            try sealer.seal(vector, to: key.publicKey, ephemeral: ephemeral, vector: vector)
        }
        header = files[0].header.bytes
        payloads = files.map(\.payload.bytes)
    }

    /// Two bytes choose one piece.
    func piece(_ high: UInt8, _ low: UInt8) -> [UInt8] {
        let choice = (Int(high) << 8 | Int(low)) % (payloads.count + 1)
        return choice == 0 ? header : payloads[choice - 1]
    }
}

private let pieces = try? Pieces()

/// Reads a dataset of payloads that the input chooses. Whatever opens has all payloads from the first on, in one byte order.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzNanoTDFDataset(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let pieces else { preconditionFailure("the pieces were not made") }
    let choices = UnsafeBufferPointer(start: start, count: count)
    var parts = [pieces.header]
    for place in stride(from: 0, to: choices.count - 1, by: 2).prefix(2000) {
        parts.append(pieces.piece(choices[place], choices[place + 1]))
    }
    var reader = NanoTDFDatasetReader(with: pieces.key)
    guard let opened = try? reader.read(parts.joined()), let rest = try? reader.finish() else { return 0 }
    var written = parts.makeIterator()
    var sections: [[[UInt8]]] = []
    var plaintexts = (opened + rest).makeIterator()
    while let part = written.next() {
        if part == pieces.header {
            sections.append([])
        } else if let text = plaintexts.next() {
            sections[sections.count - 1].append(text)
        }
    }
    precondition(plaintexts.next() == nil, "more was opened than there was")
    let bigEndian = sections.allSatisfy { counts($0, from: 1) { $0 } }
    let littleEndian = sections.allSatisfy { counts($0, from: 0) { $0.reversed() } }
    precondition(bigEndian || littleEndian, "payloads were left out, doubled or moved unnoticed")
    return 0
}

/// Whether vectors count up by one.
private func counts(_ vectors: [[UInt8]], from first: Int, _ bytes: ([UInt8]) -> [UInt8]) -> Bool {
    vectors.enumerated().allSatisfy { place, vector in
        bytes(vector).reduce(0) { $0 << 8 | Int($1) } == first + place
    }
}

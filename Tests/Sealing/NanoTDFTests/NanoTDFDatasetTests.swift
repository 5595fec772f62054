import Cryptography
import NanoTDF
import Testing

@Suite("NanoTDF: datasets")
struct NanoTDFDatasetTests {
    private let reader: EllipticCurve.PrivateKey
    private let sealer: NanoTDFSealer

    init() throws {
        reader = try EllipticCurve.PrivateKey(.p256)
        sealer = try NanoTDFSealer(
            kas: ResourceLocator(url: "https://kas.example.com"), policy: .encrypted([1]), cipher: .aes256GCM96)
    }

    @Test("Written datasets are read back, however the bytes are cut", arguments: [1, 7, 100_000])
    func pieces(byteCount: Int) throws {
        let parts = [[1], [2, 2], [UInt8](repeating: 3, count: 500)].map(Array<UInt8>.init)
        let bytes = try write(parts).flatMap(\.self)
        var dataset = NanoTDFDatasetReader(with: reader)
        var plaintexts: [[UInt8]] = []
        for start in stride(from: 0, to: bytes.count, by: byteCount) {
            plaintexts += try dataset.read(bytes[start..<min(start + byteCount, bytes.count)])
        }
        plaintexts += try dataset.finish()
        #expect(plaintexts == parts && dataset.isEnded && dataset.payloadCount == 4)
        #expect(dataset.binding == .digest && dataset.header?.cipher == .aes256GCM96)
    }

    @Test("The first payload alone is an ordinary file")
    func first() throws {
        let pieces = try write([[1, 2, 3]])
        let file = try NanoTDF(pieces[0])
        #expect(file.payload.vector == [0, 0, 1])
        #expect(try file.open(with: reader).plaintext == [1, 2, 3])
        #expect(throws: NanoTDFError.self) { try NanoTDF(pieces[0] + pieces[1]) }
    }

    @Test("When the numbers run out, a new header with a new key follows")
    func rotation() throws {
        let parts = (1...7).map { [UInt8($0)] }
        let pieces = try write(parts, limit: 3)
        let headers = pieces.map { $0.starts(with: NanoTDF.Version.l1l.magic) }
        #expect(headers == [true, false, false, true, false, false, true, false])
        let bytes = pieces.flatMap(\.self)
        #expect(try open(bytes).plaintexts == parts)
        let (fields, problem) = NanoTDF.inspect(bytes)
        #expect(problem == nil && fields.flatMap(\.bytes) == bytes)
        #expect(fields.count { $0.name == "magic and version" } == 3 && fields.count { $0.name == "tag" } == 8)
    }

    @Test("Payloads that are missing, doubled, changed or out of order are noticed")
    func order() throws {
        let pieces = try write([[1], [2], [3]])
        var changed = pieces
        changed[2][changed[2].count - 1] ^= 1
        let wrong: [[[UInt8]]] = [
            [pieces[0], pieces[2], pieces[3]], [pieces[0], pieces[1], pieces[1], pieces[2]],
            [pieces[0], pieces[2], pieces[1], pieces[3]], changed,
        ]
        for pieces in wrong {
            let error = #expect(throws: NanoTDFError.self) { try open(pieces.flatMap(\.self)) }
            #expect(error?.code == .altered)
        }
    }

    @Test("An end that was cut off is noticed")
    func truncation() throws {
        let pieces = try write([[1], [2]])
        #expect(try open(pieces.flatMap(\.self)).isEnded)
        #expect(try !open(pieces.dropLast().flatMap(\.self)).isEnded)
        let bytes = pieces.flatMap(\.self)
        for count in [0, 3, pieces[0].count - 1, pieces[0].count + 1, bytes.count - 1] {
            let error = #expect(throws: NanoTDFError.self) { try open(Array(bytes.prefix(count))) }
            #expect(error?.code == .truncated)
        }
    }

    @Test("Go's datasets count from 0, and little-endian")
    func go() throws {
        let ephemeral = try EllipticCurve.PrivateKey(.p256)
        let files = try [[0, 0, 0], [1, 0, 0], [2, 0, 0]].map { vector in
            try sealer.seal([vector[0]], to: reader.publicKey, ephemeral: ephemeral, vector: vector)
        }
        let bytes = files[0].header.bytes + files.flatMap(\.payload.bytes)
        #expect(try open(bytes).plaintexts == [[0], [1], [2]])
    }

    @Test(
        "A dataset keeps one byte order: the next number in the other order is refused",
        arguments: [
            // 1 and then 65537 big-endian is 65536 and then 65537 little-endian.
            [[0, 0, 1], [1, 0, 1]], [[0, 0, 1], [0, 0, 2], [1, 0, 2]], [[0, 0, 0], [1, 0, 0], [1, 0, 1]],
            [[0, 0, 0], [0, 0, 1]],
            // The first payload is cut off, or belongs to no way of counting.
            [[1, 0, 0]], [[0, 0, 2]], [[2, 0, 0]],
        ])
    func oneOrder(vectors: [[UInt8]]) throws {
        let error = #expect(throws: NanoTDFError.self) { try open(bytes(vectors)) }
        #expect(error?.code == .altered)
    }

    @Test("A dataset keeps its byte order under the headers that follow")
    func oneOrderOfAll() throws {
        let first = try bytes([[0, 0, 1], [0, 0, 2]])
        #expect(try open(first + bytes([[0, 0, 1]])).plaintexts == [[1], [2], [1]])
        let error = #expect(throws: NanoTDFError.self) { try open(first + bytes([[0, 0, 0], [1, 0, 0]])) }
        #expect(error?.code == .altered)
    }

    @Test("A dataset with more payloads than one byte counts is read in either order", arguments: [true, false])
    func manyPayloads(isBigEndian: Bool) throws {
        let count = 600
        let vectors = (0..<count).map { place -> [UInt8] in
            let number = isBigEndian ? place + 1 : place
            let vector = [16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
            return isBigEndian ? vector : vector.reversed()
        }
        #expect(try open(bytes(vectors)).plaintexts.count == count)
    }

    @Test("Invalid uses of a dataset are refused")
    func refused() throws {
        var writer = try NanoTDFDatasetWriter(sealer, to: reader.publicKey)
        #expect(throws: NanoTDFError.self) { try writer.append([]) }
        let likeMagic = [UInt8](repeating: 0, count: 0x4c314c - 3 - 12)
        #expect(throws: NanoTDFError.self) { try writer.append(likeMagic) }
        // The refused call had no effect: the header still follows.
        let bytes = try writer.append([5]) + writer.finish()
        #expect(try open(bytes).plaintexts == [[5]])
        let signing = try NanoTDFSealer(kas: sealer.kas, policy: .plain([]), signer: reader)
        #expect(throws: NanoTDFError.self) { try NanoTDFDatasetWriter(signing, to: reader.publicKey) }
        let signed = try signing.seal([1], to: reader.publicKey).bytes
        let error = #expect(throws: NanoTDFError.self) { try open(signed) }
        #expect(error?.code == .unsupported)
        var other = NanoTDFDatasetReader(with: try EllipticCurve.PrivateKey(.p256))
        let wrongKey = #expect(throws: NanoTDFError.self) {
            _ = try other.read(write([[1]]).flatMap(\.self))
            _ = try other.finish()
        }
        #expect(wrongKey?.code == .cannotOpen)
    }

    private func write(_ parts: [[UInt8]], limit: Int = NanoTDFDatasetWriter.payloadLimit) throws -> [[UInt8]] {
        var writer = try NanoTDFDatasetWriter(sealer, to: reader.publicKey, payloadLimit: limit)
        var pieces = try parts.map { try writer.append($0) }
        pieces.append(try writer.finish())
        return pieces
    }

    /// One header, and a payload for each vector: the sum of its bytes, or 1 where that is 0.
    private func bytes(_ vectors: [[UInt8]]) throws -> [UInt8] {
        let ephemeral = try EllipticCurve.PrivateKey(.p256)
        let files = try vectors.map { vector in
            try sealer.seal(
                [max(1, vector.reduce(0, &+))], to: reader.publicKey, ephemeral: ephemeral, vector: vector)
        }
        return (files.first?.header.bytes ?? []) + files.flatMap(\.payload.bytes)
    }

    private func open(_ bytes: [UInt8]) throws -> (plaintexts: [[UInt8]], isEnded: Bool) {
        var dataset = NanoTDFDatasetReader(with: reader)
        let plaintexts = try dataset.read(bytes)
        return (plaintexts + (try dataset.finish()), dataset.isEnded)
    }
}

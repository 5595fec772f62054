internal import COpenSSL

/// The part of scrypt that takes time and memory: ROMix over blocks of Salsa20/8 (RFC 7914 sections 3 to 5).
///
/// Each 64 bytes are kept in the order in which Salsa20 works on four words at once, and put back at the end.
struct ScryptMixer: ~Copyable {
    private typealias Quad = SIMD4<UInt32>

    /// Quads in a block of 128 · r bytes.
    private let width: Int
    private let n: Int
    /// N blocks, then one to work in and one to mix into.
    private let memory: UnsafeMutablePointer<Quad>

    init(cost: Scrypt.Cost) throws(CryptographyError) {
        width = 8 * Int(cost.r)
        n = 1 << Int(cost.logN)
        guard let memory = CRYPTO_malloc((n + 2) * width * 16, nil, 0) else {
            throw CryptographyError(.libraryFailure, "scrypt failed: there is not enough memory for its cost")
        }
        self.memory = memory.bindMemory(to: Quad.self, capacity: (n + 2) * width)
    }

    deinit { CRYPTO_clear_free(memory, (n + 2) * width * 16, nil, 0) }

    /// Mixes one block in place.
    ///
    /// - Parameter progress: is told the part that is done, some hundred times. False gives up.
    /// - Returns: false if it was given up; the block is not mixed then.
    mutating func mix(_ block: UnsafeMutableRawBufferPointer, progress: (_ part: Double) -> Bool) -> Bool {
        var (work, other) = (memory + n * width, memory + (n + 1) * width)
        load(block, into: work)
        let steps = 2 * n
        let pause = max(1, steps / 512)
        for step in 0..<steps {
            if step % pause == 0, !progress(Double(step) / Double(steps)) { return false }
            if step < n {
                (memory + step * width).update(from: work, count: width)
            } else {
                // N is a power of two and at most 2^20, so the low word of the last 64 bytes says which block.
                let chosen = memory + Int(work[width - 4][0] & UInt32(n - 1)) * width
                for index in 0..<width { work[index] ^= chosen[index] }
            }
            mixBlock(work, other)
            swap(&work, &other)
        }
        store(work, into: block)
        return true
    }

    /// BlockMix: each 64 bytes are joined with those before and hashed; even ones go to the front, odd ones to the back.
    private func mixBlock(_ input: UnsafeMutablePointer<Quad>, _ output: UnsafeMutablePointer<Quad>) {
        var state = Salsa(input + (width - 4))
        for index in 0..<width / 4 {
            state.absorb(input + index * 4)
            state.store(output + (index / 2 + (index % 2) * (width / 8)) * 4)
        }
    }

    private func load(_ block: UnsafeMutableRawBufferPointer, into quads: UnsafeMutablePointer<Quad>) {
        for index in 0..<width * 4 {
            let word = block.loadUnaligned(fromByteOffset: 4 * Self.place(index), as: UInt32.self)
            quads[index / 4][index % 4] = UInt32(littleEndian: word)
        }
    }

    private func store(_ quads: UnsafeMutablePointer<Quad>, into block: UnsafeMutableRawBufferPointer) {
        for index in 0..<width * 4 {
            block.storeBytes(
                of: quads[index / 4][index % 4].littleEndian, toByteOffset: 4 * Self.place(index), as: UInt32.self)
        }
    }

    /// The words of 64 bytes, along the diagonals.
    private static func place(_ index: Int) -> Int { index / 16 * 16 + (index * 5) % 16 }

    /// 64 bytes and Salsa20/8.
    private struct Salsa {
        private var a, b, c, d: Quad

        init(_ quads: UnsafeMutablePointer<Quad>) { (a, b, c, d) = (quads[0], quads[1], quads[2], quads[3]) }

        func store(_ quads: UnsafeMutablePointer<Quad>) {
            (quads[0], quads[1], quads[2], quads[3]) = (a, b, c, d)
        }

        @inline(__always) mutating func absorb(_ quads: UnsafeMutablePointer<Quad>) {
            (a, b, c, d) = (a ^ quads[0], b ^ quads[1], c ^ quads[2], d ^ quads[3])
            var (w, x, y, z) = (a, b, c, d)
            for _ in 0..<4 {
                // Columns, then rows.
                Self.stir(&x, w &+ z, 7)
                Self.stir(&y, x &+ w, 9)
                Self.stir(&z, y &+ x, 13)
                Self.stir(&w, z &+ y, 18)
                (x, y, z) = (Self.back(x), Self.across(y), Self.forth(z))
                Self.stir(&z, w &+ x, 7)
                Self.stir(&y, z &+ w, 9)
                Self.stir(&x, y &+ z, 13)
                Self.stir(&w, x &+ y, 18)
                (x, y, z) = (Self.forth(x), Self.across(y), Self.back(z))
            }
            (a, b, c, d) = (a &+ w, b &+ x, c &+ y, d &+ z)
        }

        /// Joins a rotated sum. In two halves, because of a rotation the compiler would make one of each word.
        @inline(__always) private static func stir(_ quad: inout Quad, _ sum: Quad, _ count: UInt32) {
            quad ^= sum &<< Quad(repeating: count)
            quad ^= sum &>> Quad(repeating: 32 - count)
        }

        @inline(__always) private static func back(_ quad: Quad) -> Quad { Quad(quad[3], quad[0], quad[1], quad[2]) }
        @inline(__always) private static func across(_ quad: Quad) -> Quad { Quad(quad[2], quad[3], quad[0], quad[1]) }
        @inline(__always) private static func forth(_ quad: Quad) -> Quad { Quad(quad[1], quad[2], quad[3], quad[0]) }
    }
}

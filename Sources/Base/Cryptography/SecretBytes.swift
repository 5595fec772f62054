internal import COpenSSL

/// Bytes that must not linger: they live at one address, are wiped when the last owner lets go of them, are
/// compared in constant time, and print as a placeholder.
///
/// It is a class, so passing a secret on never copies it.
public final class SecretBytes: @unchecked Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    // Sendable holds because the memory is written in `init` and `deinit` only, when nobody else has a reference.
    private let memory: UnsafeMutableRawBufferPointer

    /// `count` zero bytes that `fill` may write to.
    public init<Failure: Error>(
        count: Int,
        filledBy fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        memory = .allocate(byteCount: count, alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        try fill(memory)
    }

    /// A copy of `bytes`. The caller's own copy is not wiped.
    public convenience init(copying bytes: some Collection<UInt8>) {
        self.init(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    /// The secrets one after another.
    public convenience init(joining parts: [SecretBytes]) {
        self.init(count: parts.reduce(0) { $0 + $1.count }) { whole in
            var start = 0
            for part in parts {
                UnsafeMutableRawBufferPointer(rebasing: whole[start...]).copyMemory(from: .init(part.memory))
                start += part.count
            }
        }
    }

    /// `count` fresh random bytes.
    public static func random(count: Int) -> SecretBytes {
        SecretBytes(count: count) { SecureRandom.fill($0) }
    }

    deinit {
        OPENSSL_cleanse(memory.baseAddress, memory.count)
        memory.deallocate()
    }

    /// How many bytes there are.
    public var count: Int { memory.count }

    /// Lends the bytes. They must not be copied to memory that nobody wipes.
    public func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(memory))
    }

    /// A part of the secret, as a secret of its own.
    public func slice(_ range: Range<Int>) throws(CryptographyError) -> SecretBytes {
        guard range.lowerBound >= 0, range.upperBound <= count else {
            throw CryptographyError(.invalidLength, "the part lies outside of the secret")
        }
        return SecretBytes(count: range.count) { $0.copyMemory(from: .init(rebasing: memory[range])) }
    }

    public static func == (left: SecretBytes, right: SecretBytes) -> Bool {
        ConstantTime.areEqual(UnsafeRawBufferPointer(left.memory), UnsafeRawBufferPointer(right.memory))
    }

    public var description: String { "SecretBytes(\(count) bytes)" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

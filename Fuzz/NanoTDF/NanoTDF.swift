import Cryptography
import NanoTDF

/// The key that the seeds are sealed to.
private let key: EllipticCurve.PrivateKey? = try? EllipticCurve.PrivateKey(
    .p256, scalar: HashFunction.sha256.digest(SecretBytes(copying: "fact sheet KAS key".utf8)))

/// Reads any bytes as a file and as a dataset, opens what can be opened, and lists the fields. What is accepted is written the
/// same, and the fields are the bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzNanoTDF(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let key else { preconditionFailure("the key is no key") }
    let (fields, problem) = NanoTDF.inspect(bytes)
    let listed = fields.flatMap(\.bytes)
    precondition(bytes.starts(with: listed), "fields that are not the file's")
    precondition(problem != nil || listed.count == count, "bytes that belong to no field")
    if let file = try? NanoTDF(bytes) {
        precondition(file.bytes == bytes, "a file is written in another way than it was read")
        precondition((try? NanoTDF.Header(file.header.bytes)) != nil, "a header cannot be read without its payload")
        _ = file.checkSignature()
        _ = try? file.open(with: key, allowing: [.wrongBinding, .wrongSignature, .policyWithoutTag])
    }
    readDataset(bytes, key)
    return 0
}

/// However a dataset arrives, it says the same.
private func readDataset(_ bytes: [UInt8], _ key: EllipticCurve.PrivateKey) {
    let whole = opened([bytes], key)
    let half = bytes.count / 2
    precondition(opened([Array(bytes[..<half]), Array(bytes[half...])], key) == whole, "halves open in another way")
}

private func opened(_ parts: [[UInt8]], _ key: EllipticCurve.PrivateKey) -> [[UInt8]]? {
    var reader = NanoTDFDatasetReader(with: key, allowing: .wrongBinding)
    do {
        var plaintexts: [[UInt8]] = []
        for part in parts { plaintexts += try reader.read(part) }
        return plaintexts + (try reader.finish())
    } catch {
        return nil
    }
}

import Cryptography
import Foundation
import NanoTDF

extension Suite {
    static let nanoTDF = Suite(
        name: "nanotdf", about: "NanoTDF files and datasets and OpenTDFKit's key stores, beside what the curves cost"
    ) { recorder in
        for (curve, algorithm) in [(EllipticCurve.p256, "ecdhp256"), (.p384, "ecdhp384"), (.p521, "ecdhp521")] {
            try await measureFiles(recorder, curve, algorithm)
        }
        try await measureDataset(recorder)
        try await measureStores(recorder)
    }
}

/// Files of 256 bytes with a policy of 100.
private func measureFiles(_ recorder: Recorder, _ curve: EllipticCurve, _ algorithm: String) async throws {
    let agreements = try OpenSSLSpeed.agreementsPerSecond(algorithm)
    await recorder.record("openssl speed \(algorithm)", agreements, unit: "agreements/s", better: .higher)
    // The aims are for a machine of 30 000 agreements a second on P-256, and grow with what one costs on this machine.
    let scale = curve == .p256 ? 30_000 / agreements : nil
    let reader = try EllipticCurve.PrivateKey(curve)
    let sealer = try NanoTDFSealer(
        kas: ResourceLocator(url: "https://kas.example.com", identifier: "e1"),
        policy: .plain([UInt8](repeating: 3, count: 100)))
    let plaintext = [UInt8](repeating: 7, count: 256)
    let count = curve == .p256 ? 2000 : 200
    let files = try (0..<count).map { _ in try sealer.seal(plaintext, to: reader.publicKey).bytes }
    await recorder.record(
        "create, \(curve.name)", try microseconds(count) { _ = try sealer.seal(plaintext, to: reader.publicKey).bytes },
        unit: "µs", better: .lower, aim: scale.map { (70 * $0).rounded() })
    let opening = try files.map { try NanoTDF($0) }
    await recorder.record(
        "open, \(curve.name)", try microseconds(opening) { _ = try $0.open(with: reader) },
        unit: "µs", better: .lower, aim: scale.map { (45 * $0).rounded() })
    guard curve == .p256 else { return }
    await recorder.record(
        "parse", try microseconds(files) { _ = try NanoTDF($0) }, unit: "µs", better: .lower)
}

/// 256 MiB in payloads of 1 MiB.
private func measureDataset(_ recorder: Recorder) async throws {
    let reader = try EllipticCurve.PrivateKey(.p256)
    let sealer = try NanoTDFSealer(kas: ResourceLocator(url: "https://kas.example.com"), policy: .plain([]))
    let part = [UInt8](repeating: 7, count: NanoTDFDatasetWriter.customaryByteCount)
    let count = 256
    try await recorder.rate("dataset, seal", unit: "MiB/s", aim: 1000, count: count, rounds: 3) {
        var writer = try NanoTDFDatasetWriter(sealer, to: reader.publicKey)
        for _ in 0..<count { _ = try writer.append(part) }
        _ = try writer.finish()
    }
    var writer = try NanoTDFDatasetWriter(sealer, to: reader.publicKey)
    var sealed: [[UInt8]] = []
    for _ in 0..<count { sealed.append(try writer.append(part)) }
    let parts = sealed
    try await recorder.rate("dataset, open", unit: "MiB/s", aim: 1000, count: count, rounds: 3) {
        var dataset = NanoTDFDatasetReader(with: reader)
        for part in parts { _ = try dataset.read(part) }
        _ = try dataset.finish()
    }
}

private func measureStores(_ recorder: Recorder) async throws {
    let keys = try (0..<KeyStore.customaryCount).map { _ in try EllipticCurve.PrivateKey(.p256) }
    let store = try KeyStore(keys, on: .p256)
    let publicBytes = store.publicKeys.bytes
    try await recorder.time("write 8192 private keys") { _ = try KeyStore(keys, on: .p256) }
    try await recorder.time("load 8192 private keys", aim: 6) { _ = try KeyStore(store.bytes) }
    try await recorder.time("load 8192 public keys", aim: 6) { _ = try PublicKeyStore(publicBytes) }
    try await recorder.time("check 8192 public keys", rounds: 3) { _ = try PublicKeyStore(publicBytes).keys() }
    await recorder.record(
        "look up a private key", try microseconds(keys) { _ = try store.privateKey(for: $0.publicKey.compressed) },
        unit: "µs", better: .lower)
}

/// What `work` costs once, of so many times.
private func microseconds(_ count: Int, _ work: () throws -> Void) rethrows -> Double {
    try microseconds(0..<count) { _ in try work() }
}

/// What `work` costs for one of the values, of the processor's time: as `openssl speed` counts, whoever else is busy.
private func microseconds<Values: Collection>(
    _ values: Values, _ work: (Values.Element) throws -> Void
) rethrows -> Double {
    let start = clock()
    for value in values { try work(value) }
    return Double(clock() - start) * 1_000_000 / Double(CLOCKS_PER_SEC) / Double(values.count)
}

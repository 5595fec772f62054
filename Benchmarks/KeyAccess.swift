import Cryptography
import Foundation
import KeyAccess
import NanoTDF
import Networking

extension Suite {
    static let keyAccess = Suite(
        name: "key-access", about: "keys that a key access service gives out, and what a call of it costs"
    ) { recorder in
        let keys = try ServiceKeys([.init(id: "e1", privateKey: .init(.p256))])
        let server = try KeyAccessServer(configuration(keys))
        let url = "http://127.0.0.1:\(try await server.start())"
        let client = try KeyAccessClient(url)
        let header = try header(at: url, keys.keys[0])
        let batch = [NanoTDF.Header](repeating: header, count: 100)

        _ = try await client.payloadKeys(of: batch)
        let single = try await samples(5) { for _ in 0..<100 { _ = try await client.payloadKey(of: header) } }
        await recorder.record("calls, one file each, one after another", single, unit: "rewraps/s", better: .higher)
        let batches = try await samples(5) { _ = try await client.payloadKeys(of: batch) }
        await recorder.record("calls of 100 files", batches, unit: "rewraps/s", better: .higher)
        let parallel = try await samples(5) {
            try await withThrowingTaskGroup { group in
                for _ in 0..<20 { group.addTask { for _ in 0..<5 { _ = try await client.payloadKey(of: header) } } }
                try await group.waitForAll()
            }
        }
        await recorder.record("calls, one file each, 20 at once", parallel, unit: "rewraps/s", better: .higher)
        await server.stop()
    }
}

/// A service that counts nothing, so that it is the service that is measured and not its limits.
private func configuration(_ keys: ServiceKeys) -> KeyAccessConfiguration {
    var configuration = KeyAccessConfiguration(keys: keys)
    configuration.limits.requests = .unlimited
    configuration.limits.objectsByCaller = .unlimited
    return configuration
}

private func header(at url: String, _ key: ServiceKeys.Key) throws -> NanoTDF.Header {
    let policy = Array(#"{"uuid":"1","body":{"dataAttributes":[],"dissem":[]}}"#.utf8)
    let sealer = try NanoTDFSealer(kas: ResourceLocator(url: url, identifier: key.id), policy: .encrypted(policy))
    return try sealer.seal("text".utf8, to: key.privateKey.publicKey).header
}

/// How many of 100 things a second, several times.
private func samples(_ rounds: Int, _ work: () async throws -> Void) async rethrows -> [Double] {
    var samples: [Double] = []
    for _ in 0..<rounds {
        let start = ContinuousClock.now
        try await work()
        samples.append(100 / ((ContinuousClock.now - start) / .seconds(1)))
    }
    return samples
}

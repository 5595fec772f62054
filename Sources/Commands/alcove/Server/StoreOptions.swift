import Foundation
import Rendezvous

/// Where `alcove serve` keeps its rooms.
enum StoreOptions {
    static let options: [Arguments.Option] = [
        .value(
            "store", "STORE",
            "sqlite:PATH, the address of a Redis (see docs/server.md), or memory (default: memory, forgotten when the server ends)"
        ),
        .value(
            "secret-file", "FILE",
            "with Redis: a text of at least 32 characters, the same for all servers that share it, which are then one server"
        ),
        .value("store-password-file", "FILE", "the password of Redis, which then is not in its address"),
        .value(
            "store-ca", "FILE", "with rediss://: PEM file with the authorities to check Redis's certificate against"),
        .value("store-cert", "FILE", "with rediss://: PEM file with a certificate, if Redis asks its clients for one"),
        .value("store-key", "FILE", "PEM file with the private key of that certificate"),
    ]

    static func store(_ arguments: Arguments) throws(UsageError) -> RendezvousConfiguration.Store {
        let text = arguments["store"] ?? "memory"
        if text.hasPrefix("redis") { return .redis(try shared(text, arguments)) }
        for option in ["secret-file", "store-password-file", "store-ca", "store-cert", "store-key"] {
            guard arguments[option] == nil else { throw UsageError("--\(option) goes with --store redis://HOST:PORT") }
        }
        if text == "memory" { return .memory }
        guard text.hasPrefix("sqlite:"), text.count > 7 else {
            throw UsageError("--store takes sqlite:PATH, redis://HOST:PORT or memory, not \"\(text)\"")
        }
        return .sqlite(String(text.dropFirst(7)))
    }

    private static func shared(_ url: String, _ arguments: Arguments) throws(UsageError) -> SharedStore {
        hidePasswords()
        guard let secretFile = arguments["secret-file"] else {
            throw UsageError(
                "--store with Redis needs --secret-file, by which the servers that share it know each other")
        }
        var access = SharedStore.Access()
        if let file = arguments["store-password-file"] {
            access.password = try SecretFile.text(file, option: "store-password-file")
        }
        access.authorities = arguments["store-ca"]
        switch (arguments["store-cert"], arguments["store-key"]) {
        case (let certificate?, let key?): access.identity = (certificate, key)
        case (nil, nil): break
        default: throw UsageError("--store-cert and --store-key go together")
        }
        let secret = try SecretFile.text(secretFile, option: "secret-file")
        do {
            return try SharedStore(url, access: access, secret: secret)
        } catch {
            throw UsageError(error.message)
        }
    }

    /// Writes over the password in an address of Redis, which the system shows to everybody on the machine (`ps`) as long as the process runs.
    private static func hidePasswords() {
        for index in 0..<Int(CommandLine.argc) {
            guard let word = CommandLine.unsafeArgv[index] else { continue }
            let text = String(cString: word)
            guard let place = text.firstRange(of: "redis"), let start = text.firstRange(of: "://")?.upperBound,
                place.lowerBound < start, let end = text[start...].lastIndex(of: "@"),
                let colon = text[start..<end].firstIndex(of: ":")
            else { continue }
            let offset = text.utf8.distance(from: text.startIndex, to: colon) + 1
            let count = text.utf8.distance(from: colon, to: end) - 1
            for position in offset..<offset + count { word[position] = CChar(UInt8(ascii: "*")) }
        }
    }
}

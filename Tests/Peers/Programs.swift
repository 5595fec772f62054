package import Foundation

/// The foreign programs that these tests need. `make test-deps` installs them; a missing one fails the test.
package enum Programs {
    package struct Missing: Error, CustomStringConvertible {
        let name: String
        package var description: String { "\(name) is missing: run `make test-deps`" }
    }

    static let packageRoot = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    package static func python() throws -> URL {
        try executable(packageRoot.appending(path: ".venv/bin/python").path)
    }

    package static func script(_ name: String) -> String {
        packageRoot.appending(path: "Tests/Interop/peers/\(name)").path
    }

    package static func chromium() throws -> URL { try find("chromium") }

    package static func firefox() throws -> URL { try find("firefox-esr") }

    static func syncthing() throws -> URL { try find("syncthing") }

    static func redisServer() throws -> URL { try find("redis-server") }

    package static func haproxy() throws -> URL { try find("haproxy") }

    package static func caddy() throws -> URL { try find("caddy") }

    static func openssl() throws -> URL { try find("openssl") }

    static func turnServer() throws -> URL { try find("turnserver") }

    private static func find(_ name: String) throws -> URL {
        for folder in ["/usr/bin", "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin"] {
            if let found = try? executable("\(folder)/\(name)") { return found }
        }
        throw Missing(name: name)
    }

    private static func executable(_ path: String) throws -> URL {
        guard FileManager.default.isExecutableFile(atPath: path) else { throw Missing(name: path) }
        return URL(filePath: path)
    }
}

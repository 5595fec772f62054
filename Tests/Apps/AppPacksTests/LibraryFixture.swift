import AppPacks
import Components
import Foundation
import ProgramRunner
import Testing

/// A library in a folder that is gone afterwards, and folders with apps beside it.
struct LibraryFixture {
    let folder: URL
    let library: AppLibrary

    @discardableResult
    static func use<Value>(
        limits: PackLimits = PackLimits(), _ body: (LibraryFixture) throws -> Value
    ) throws -> Value {
        try Program.inFolder { folder in
            return try body(
                LibraryFixture(
                    folder: folder, library: try AppLibrary(path: folder.path + "/Apps", limits: limits)))
        }
    }

    static func domain() throws -> AppDomain { try #require(AppDomain("feeds.example.org")) }

    /// A folder with an app of one script.
    func app(
        _ domain: String = "feeds.example.org", version: String = "1.0.0", asking requests: String = "{}",
        code: String = "1",
        in name: String? = nil, inner: String = ""
    ) throws -> String {
        let path = folder.appending(path: name ?? "\(domain)-\(version)")
        let files = path.appending(path: inner)
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        try Self.manifest(domain, version: version, asking: requests)
            .write(to: path.appending(path: "manifest.json"), atomically: false, encoding: .utf8)
        try code.write(to: files.appending(path: "main.mjs"), atomically: false, encoding: .utf8)
        return path.path
    }

    static func manifest(
        _ domain: String = "feeds.example.org", version: String = "1.0.0", asking requests: String = "{}"
    ) -> String {
        """
        {"appDomain": "\(domain)", "version": "\(version)", "name": "Feeds",
         "components": {"/main.mjs": {"runtime": "deno", "capsRequested": \(requests)}}}
        """
    }

    @discardableResult
    func install(_ path: String, granting: Set<Capability> = []) throws -> InstalledApp {
        try library.install(try library.inspect(path), granting: granting)
    }

    func code(of app: InstalledApp) throws -> String {
        String(decoding: try library.read(packPath("/main.mjs"), of: app), as: UTF8.self)
    }

    func names(in place: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(library.path)/\(place)").sorted()
    }
}

func packPath(_ text: String) throws -> PackPath { try #require(PackPath(text)) }

/// The error of a call that has to fail.
func refusal(_ body: () throws -> Void) -> AppPackError? {
    #expect(throws: AppPackError.self, performing: body)
}

import Foundation
import ProgramRunner
import Testing

/// `Scripts/install` with the products of this build: what it puts where, whether it works there, and whether it goes again.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct InstallationTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path

    private func install(_ verb: String) async throws -> Shell {
        let variables = "BUILD='\(Program.products.path)' DESTDIR='\(folder)' PREFIX=/opt/alcove"
        return try await Shell("\(variables) '\(Program.repository.path)/Scripts/install' \(verb)")
    }

    private func files() async throws -> [String] {
        try await Shell("cd '\(folder)' && find . -type f -o -type l").output.split(separator: "\n").map(String.init)
    }

    @Test func `what is installed works in its place, and nothing stays when it is uninstalled`() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(try await install("install").code == 0)
        let installed = Set(try await files())
        for file in [
            "bin/alcove", "libexec/alcove/alcove-component", "lib/libalcove_core.so.1", "lib/libalcove_core.so",
            "lib/pkgconfig/alcove_core.pc", "include/alcove_core.h", "share/man/man1/alcove.1",
            "share/man/man1/alcove-kas.1", "share/bash-completion/completions/alcove",
            "share/zsh/site-functions/_alcove", "share/fish/vendor_completions.d/alcove.fish",
            "lib/systemd/system/alcove-serve.service", "lib/systemd/system/alcove-kas.service",
            "lib/systemd/user/alcove-host.service", "lib/sysusers.d/alcove.conf",
            "share/doc/alcove/examples/nginx.conf", "share/alcove/page/index.html",
            "share/applications/alcove.desktop", "share/icons/hicolor/scalable/apps/alcove.svg",
        ] { #expect(installed.contains("./opt/alcove/" + file), "\(file)") }

        // alcove-component lies in libexec and is found from there.
        let alcove = "cd '\(folder)' && opt/alcove/bin/alcove"
        for words in ["app new tea", "app install tea --yes --profile p"] {
            #expect(try await Shell("\(alcove) \(words)").code == 0)
        }
        #expect(try await Shell("\(alcove) app run tea hello --profile p").output == "Hello, world!\n")
        try FileManager.default.removeItem(atPath: folder + "/tea")
        try FileManager.default.removeItem(atPath: folder + "/p")

        #expect(try await install("uninstall").code == 0)
        #expect(try await files() == [])
    }

    @Test func `units name the program where it is, and leave nothing to fill in`() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(try await install("install").code == 0)
        for (unit, words) in [("alcove-serve", "serve"), ("alcove-kas", "kas serve")] {
            let path = "\(folder)/opt/alcove/lib/systemd/system/\(unit).service"
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(text.contains("ExecStart=/opt/alcove/bin/alcove \(words) $ALCOVE_"))
            #expect(
                text.contains("NoNewPrivileges=yes")
                    && text.contains("\nUser=\(unit == "alcove-kas" ? unit : "alcove")\n"))
            #expect(!text.contains("@bindir@") && !text.contains("@hardening@"))
            // What the unit says is what the command takes: it ends by itself only if it does not understand a word.
            let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("Environment=") })
            let known = try await Shell("'\(AlcoveProcess.program)' \(words) --help").output
            for word in line.split(whereSeparator: { "\"= ".contains($0) }) where word.hasPrefix("--") {
                #expect(known.contains("  \(word)"), "\(word)")
            }
        }
    }

    @Test func `the package has the version of the program`() throws {
        let root = Program.repository
        let version = try String(
            contentsOf: root.appending(path: "Sources/Core/AppCore/Version.swift"), encoding: .utf8)
        let changes = try String(contentsOf: root.appending(path: "debian/changelog"), encoding: .utf8)
        let packaged = changes.prefix { $0 != "-" }.dropFirst("alcove (".count)
        #expect(version.contains("\"\(packaged)\""))
    }
}

import AppCore
import ForeignCore
import Foundation
import ProgramRunner
import Testing

/// The library as a file: what it needs, what it shows, how it is loaded.
@Suite struct LibraryFileTests {
    private static let library = Program.products.appending(path: "libalcove_core.so")

    @Test func `shows the functions of the header and nothing else`() throws {
        let header = try String(
            contentsOf: Program.repository.appending(path: "include/alcove_core.h"), encoding: .utf8)
        let declared = header.matches(of: /(?m)^[a-z].*?(alcove_core_[a-z_]+)\(.*\);$/).map { String($0.1) }
        let shown = try Program.run(["nm", "-D", "--defined-only", Self.library.path]).output
            .split(separator: "\n").compactMap { $0.split(separator: " ").last.map(String.init) }
        #expect(declared.count == 13)
        #expect(shown.sorted() == declared.sorted())
    }

    @Test func `needs no Swift and no search path`() throws {
        let dynamic = try Program.run(["readelf", "-d", Self.library.path]).output
        let needed = dynamic.matches(of: /NEEDED.*\[(.*)\]/).map { String($0.1) }
        let system: Set = [
            "libc.so.6", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6", "ld-linux-x86-64.so.2",
            "ld-linux-aarch64.so.1", "libpthread.so.0", "libdl.so.2", "libutil.so.1",
        ]
        #expect(system.isSuperset(of: needed), "\(needed)")
        #expect(!dynamic.contains("/swift/"))
    }

    @Test func `two copies of it live side by side`() throws {
        try Program.inFolder { folder in
            let copy = folder.appending(path: "copy.so")
            try FileManager.default.copyItem(at: Self.library, to: copy)
            let one = try ForeignCore(library: Self.library.path, scenario: .string("verified_chat"))
            let other = try ForeignCore(library: copy.path, scenario: .string("verified_chat"))
            let action = Array(#"{"type":"back"}"#.utf8)
            #expect(try one.dispatch(action) == other.dispatch(action))
            #expect(try one.state() == other.state())
        }
    }
}

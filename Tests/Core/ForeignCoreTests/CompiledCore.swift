import Foundation
import Platform
import ProgramRunner

/// A library from `Cores/`, compiled for one test.
struct CompiledCore {
    let path: String

    struct Failure: Error { let output: String }

    static func with(_ name: String, _ options: [String] = [], _ body: (CompiledCore) throws -> Void) throws {
        try Program.inFolder { folder in
            let library = folder.appending(path: "lib\(name).so").path
            let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appending(path: "Cores/\(name).c").path
            let compiler = ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", library, source]
            let include = "-I\(Program.repository.appending(path: "include").path)"
            let result = try Program.run(compiler + [include] + options)
            guard result.status == 0 else { throw Failure(output: result.output) }
            try body(CompiledCore(path: library))
        }
    }

    /// The value of a global variable.
    func integer(_ name: String) throws -> Int32 {
        guard let image = dlopen(path, RTLD_NOW), let address = dlsym(image, name) else {
            throw Failure(output: "\(name) is not there")
        }
        return address.assumingMemoryBound(to: Int32.self).pointee
    }
}

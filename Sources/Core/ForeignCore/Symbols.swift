import Platform

/// The functions that a shared library exports.
///
/// It stays loaded for as long as the process lives: one that has started threads cannot be taken out again.
struct Symbols {
    private let image: UnsafeMutableRawPointer

    init(path: String) throws(ForeignCoreError) {
        // Without a slash the loader would look everywhere but here.
        guard let image = dlopen(path.contains("/") ? path : "./\(path)", RTLD_NOW | RTLD_LOCAL) else {
            let reason = dlerror().map { String(cString: $0) } ?? "no reason is given"
            throw ForeignCoreError(.cannotLoad, "\(path) cannot be loaded: \(reason)")
        }
        self.image = image
    }

    /// Whether one of the names is there.
    func has(_ names: [String]) -> Bool { names.contains { dlsym(image, $0) != nil } }

    /// The function that is there under one of the names. The header gives `Function`; it cannot be checked.
    func function<Function>(_ names: [String]) throws(ForeignCoreError) -> Function {
        guard let address = names.lazy.compactMap({ dlsym(image, $0) }).first else {
            throw ForeignCoreError(.notACore, "the library lacks \(names.first ?? "a function")")
        }
        return unsafeBitCast(address, to: Function.self)
    }
}

import AppPacks
import Components
import Platform

/// Gives any bytes to the library as a ZIP file. What is installed is what was announced, and lies where it should.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAppZip(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let place = place else { preconditionFailure("there is no folder for the fuzzer") }
    let file = open(place.pack, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    precondition(write(file, start, count) == count)
    close(file)
    guard let inspection = try? place.library.inspect(place.pack),
        let app = try? place.library.install(inspection, granting: Set(Capability.allCases), goingBack: true)
    else { return 0 }
    for component in app.manifest.components {
        guard let bytes = try? place.library.read(component.entryPoint, of: app) else {
            preconditionFailure("the file of a component is missing")
        }
        precondition(bytes.count <= inspection.byteCount)
    }
    guard (try? place.library.remove(app.domain, keepingData: false)) != nil else {
        preconditionFailure("what was installed cannot be removed")
    }
    return 0
}

/// In memory, where flushing costs nothing.
private let place: (library: AppLibrary, pack: String)? = {
    let path = "/dev/shm/alcove-fuzz-packs"
    mkdir(path, 0o700)
    var limits = PackLimits()
    limits.total = 1 << 20
    guard let library = try? AppLibrary(path: path, limits: limits) else { return nil }
    return (library, path + "/pack.zip")
}()

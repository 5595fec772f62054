import Preloads
import Testing

@Suite struct BundleTests {
    /// Kilobytes that each may have: they are read whenever a component starts.
    @Test func scriptsAreSmall() {
        #expect(Preload.common.utf8.count < 24 << 10)
        #expect(Preload.app.utf8.count < 62 << 10)
        #expect(Preload.core.utf8.count < 40 << 10)
        #expect(Preload.setupW3N.utf8.count < 60 << 10)
        #expect(Preload.setupW3NForStartup.utf8.count < 40 << 10)
        #expect(Preload.shim.utf8.count < 4 << 10)
    }
}

import Preloads
import Testing

@Suite struct BundleTests {
    @Test func scriptsAreSmall() {
        #expect(Preload.common.utf8.count < 16 << 10)
        #expect(Preload.app.utf8.count < 60 << 10)
    }
}

import AppCore
import Catalogues
import Components
import Testing

@testable import Host

/// The core has a sentence for everything that an app can be granted, and in English it says what the command line says.
@Suite struct CapabilityTitleTests {
    @Test func everyCapabilityIsKnown() {
        #expect(CapabilityName.known == Set(Capability.allCases.map { CapabilityName($0.rawValue) }))
    }

    @Test(arguments: Capability.allCases) func itIsCalledTheSameEverywhere(capability: Capability) {
        #expect(Words.key("capability.\(capability.rawValue)").english == capability.words)
    }
}

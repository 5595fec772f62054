import Testing

@testable import CRDTBridge

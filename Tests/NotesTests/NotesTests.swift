import Testing

@testable import Notes

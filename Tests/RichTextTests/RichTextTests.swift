import Testing

@testable import RichText

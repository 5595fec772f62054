import Testing

@testable import ScriptEngine

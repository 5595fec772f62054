import Components
import Testing
import Wire

/// Exceptions as JSON, and back.
struct RuntimeExceptionTests {
    @Test func theMarkComesFirstThenTheTypeThenTheFields() {
        let exception = RuntimeException(type: "file", flag: "notFound", ["code": "ENOENT", "path": "a/b"])
        let text = #"{"runtimeException":true,"type":"file","notFound":true,"code":"ENOENT","path":"a/b"}"#
        #expect(exception.json.text == text)
        #expect(RuntimeException(text: text.utf8) == exception)
        #expect(exception.has("notFound") && !exception.has("code"))
    }

    @Test func causesAreNested() {
        let inner = RuntimeException(type: "file", flag: "notFound")
        let outer = RuntimeException(type: "storage").caused(by: inner)
        #expect(outer.cause == inner && inner.cause == nil)
        #expect(RuntimeException(errorValue: outer.errorValue[...]) == outer)
    }

    @Test(arguments: [
        ("true", true), ("1", true), (#""yes""#, true), ("{}", true), ("[]", true), ("false", false), ("0", false),
        ("null", false), (#""""#, false), ("0.0", false),
    ])
    func theMarkIsReadAsScriptsDo(mark: String, isException: Bool) {
        let text = #"{"runtimeException":\#(mark),"type":"x","a":1}"#
        #expect((RuntimeException(text: text.utf8) != nil) == isException)
    }

    @Test(arguments: ["", "{", "[]", "1", #"{"type":"file"}"#, #"{"runtimeException":true"#])
    func whatIsNoExceptionIsNone(text: String) {
        #expect(RuntimeException(text: text.utf8) == nil)
    }

    @Test func ofTwoTypesTheLastCountsAndMarksAreNoFields() {
        let text = #"{"type":"a","runtimeException":true,"type":"b","runtimeException":1,"x":2}"#
        #expect(RuntimeException(text: text.utf8) == RuntimeException(type: "b", ["x": 2]))
    }

    @Test func aLongExceptionKeepsItsFlags() throws {
        let long = String(repeating: "a", count: 100_000)
        let exception = RuntimeException(
            type: "file", flag: "notFound", ["path": .string(long), "list": [.string(long)], "count": 3])
        let read = RuntimeException(errorValue: exception.errorValue[...])
        #expect(exception.errorValue.count < 70_000)
        #expect(
            read.has("notFound") && read.has("shortened") && read.fields["count"] == 3 && read.fields["list"] == nil)
    }

    @Test(arguments: ["", "0a", "ff", "0801", "0a027b7d", "0a0161", "1200", "120361ff62"])
    func anErrorValueThatCannotBeReadIsAPlainError(hex: String) throws {
        let bytes = try #require(unhex(hex))
        #expect(RuntimeException(errorValue: bytes[...]).plainMessage?.isEmpty == false)
    }

    @Test func aPlainErrorStaysPlain() {
        let error = RuntimeException(plain: "boom")
        #expect(RuntimeException(errorValue: error.errorValue[...]) == error)
        #expect(RuntimeException(type: "file").plainMessage == nil)
    }
}

internal import CJavaScriptCore

/// A string of the engine's, which the caller releases.
func scriptString(_ string: String) -> JSStringRef? {
    // The fast way ends at a NUL.
    guard string.utf8.contains(0) else { return string.withCString { JSStringCreateWithUTF8CString($0) } }
    return Array(string.utf16).withUnsafeBufferPointer { JSStringCreateWithCharacters($0.baseAddress, $0.count) }
}

/// The text of a string of the engine's. Surrogates without their other half become U+FFFD.
func swiftString(_ string: JSStringRef) -> String {
    let size = JSStringGetMaximumUTF8CStringSize(string)
    var written = 0
    let text = String(unsafeUninitializedCapacity: size) { buffer in
        written = buffer.withMemoryRebound(to: CChar.self) { JSStringGetUTF8CString(string, $0.baseAddress, size) }
        return max(0, written - 1)
    }
    // Only text that is not well-formed is not written.
    guard written == 0 else { return text }
    let units = UnsafeBufferPointer(start: JSStringGetCharactersPtr(string), count: JSStringGetLength(string))
    return String(decoding: units, as: UTF16.self)
}

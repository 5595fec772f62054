internal import CJavaScriptCore
internal import Platform

/// A string of the engine, which the caller releases.
func scriptString(_ string: String) -> JSStringRef? {
    // The fast way ends at a NUL.
    let whole = string.withCString { strlen($0) == string.utf8.count ? JSStringCreateWithUTF8CString($0) : nil }
    return whole
        ?? Array(string.utf16).withUnsafeBufferPointer { JSStringCreateWithCharacters($0.baseAddress, $0.count) }
}

/// The text of a string of the engine. Unpaired surrogates become U+FFFD.
func swiftString(_ string: JSStringRef) -> String {
    let size = JSStringGetMaximumUTF8CStringSize(string)
    let text = String(unsafeUninitializedCapacity: size) { buffer in
        buffer.withMemoryRebound(to: CChar.self) { max(1, JSStringGetUTF8CString(string, $0.baseAddress, size)) - 1 }
    }
    // The fast way ends at an unpaired surrogate.
    let length = JSStringGetLength(string)
    guard text.utf16.count != length else { return text }
    return String(
        decoding: UnsafeBufferPointer(start: JSStringGetCharactersPtr(string), count: length), as: UTF16.self)
}

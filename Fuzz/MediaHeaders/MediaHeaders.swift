import MediaHeaders

/// Reads any bytes as a picture and as a sound, of which the size and the length are in their limits.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMediaHeaders(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    var source = MediaBytes(bytes)
    if let picture = try? PictureHeader(&source) {
        let sides = 1...PictureHeader.longestSide
        precondition(sides.contains(picture.width) && sides.contains(picture.height), "a side is out of its limits")
        precondition(picture.thumbnail.count <= 16 << 10, "a small copy is too large")
    }
    source = MediaBytes(bytes)
    if let sound = try? SoundHeader(&source) {
        precondition((1...SoundHeader.longest).contains(sound.duration), "a length is out of its limits")
        precondition([0, SoundHeader.values].contains(sound.waveform.count), "there are too many values of loudness")
    }
    return 0
}

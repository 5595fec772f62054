/// Turns the bytes of a terminal in raw mode into keys: UTF-8, the control characters of ECMA-48, the cursor keys of xterm
/// (CSI and SS3), Alt as a prefix, and bracketed paste (`CSI 200 ~ … CSI 201 ~`).
///
/// It takes any bytes in any pieces. What it does not know, it leaves out; nothing it keeps grows without a limit.
package struct KeyDecoder {
    /// Bytes of one paste.
    package static let pasteLimit = 1 << 20
    /// Bytes of the parameters of one control sequence.
    static let sequenceLimit = 32

    private enum State {
        case text
        case escape
        /// After `ESC [`, with what came of the parameters.
        case sequence([UInt8])
        /// After `ESC O`.
        case shift
        case paste
    }

    private var state = State.text
    /// The beginning of a character whose other bytes have not come.
    private var partial: [UInt8] = []
    private var pasted: [UInt8] = []
    private var isTooLong = false

    package init() {}

    /// Takes the bytes that came.
    /// - Returns: what was pressed, in order. A key whose bytes have not all come is returned once they have.
    package mutating func keys(_ bytes: some Sequence<UInt8>) -> [Key] {
        var keys: [Key] = []
        for byte in bytes { take(byte, &keys) }
        return keys
    }

    private mutating func take(_ byte: UInt8, _ keys: inout [Key]) {
        switch state {
        case .text: takeText(byte, &keys)
        case .escape: takeEscaped(byte, &keys)
        case .sequence(let parameters): takeSequence(parameters, byte, &keys)
        case .shift:
            state = .text
            if let key = Self.cursorKey(byte, parameters: []) { keys.append(key) }
        case .paste: takePasted(byte, &keys)
        }
    }

    private mutating func takeText(_ byte: UInt8, _ keys: inout [Key]) {
        if !partial.isEmpty {
            if byte & 0xC0 == 0x80 {
                partial.append(byte)
                return finishCharacter(&keys)
            }
            partial = []
            keys.append(.malformed)
        }
        switch byte {
        case 0x1B: state = .escape
        case 0x20...0x7E: keys.append(.character(Character(Unicode.Scalar(byte))))
        case 0x80...: begin(byte, &keys)
        default: if let key = Self.controls[byte] { keys.append(key) }
        }
    }

    private mutating func begin(_ byte: UInt8, _ keys: inout [Key]) {
        if (0xC2...0xF4).contains(byte) { partial = [byte] } else { keys.append(.malformed) }
    }

    private mutating func finishCharacter(_ keys: inout [Key]) {
        let count = partial[0] < 0xE0 ? 2 : partial[0] < 0xF0 ? 3 : 4
        guard partial.count == count else { return }
        let text = String(validating: partial, as: UTF8.self)
        partial = []
        // The C1 controls are characters in UTF-8, and obeyed by terminals.
        if let character = text?.first, !Self.isControl(character) {
            keys.append(.character(character))
        } else {
            keys.append(.malformed)
        }
    }

    private mutating func takeEscaped(_ byte: UInt8, _ keys: inout [Key]) {
        state = .text
        switch byte {
        case UInt8(ascii: "["): state = .sequence([])
        case UInt8(ascii: "O"): state = .shift
        case 0x1B: state = .escape
        case 0x0A, 0x0D: keys.append(.newline)
        case UInt8(ascii: "b"): keys.append(.wordLeft)
        case UInt8(ascii: "f"): keys.append(.wordRight)
        case 0x7F, 0x08: keys.append(.deleteWord)
        default: break
        }
    }

    private mutating func takeSequence(_ parameters: [UInt8], _ byte: UInt8, _ keys: inout [Key]) {
        switch byte {
        case 0x20...0x3F:
            // A longer sequence is not one of ours, but its end is found all the same.
            state = .sequence(parameters.count < Self.sequenceLimit ? parameters + [byte] : parameters)
        case 0x40...0x7E:
            state = .text
            guard let key = Self.cursorKey(byte, parameters: parameters) else { return }
            if key == .paste("") { state = .paste } else { keys.append(key) }
        case 0x1B: state = .escape
        default: state = .text
        }
    }

    private static let endOfPaste = Array("\u{1B}[201~".utf8)

    private mutating func takePasted(_ byte: UInt8, _ keys: inout [Key]) {
        pasted.append(byte)
        if byte == Self.endOfPaste.last, pasted.suffix(Self.endOfPaste.count) == Self.endOfPaste[...] {
            let bytes = pasted.dropLast(Self.endOfPaste.count)
            keys.append(isTooLong ? .tooLong : Self.paste(bytes))
            (pasted, isTooLong, state) = ([], false, .text)
        } else if pasted.count > Self.pasteLimit + Self.endOfPaste.count {
            isTooLong = true
            pasted.removeFirst(pasted.count - Self.endOfPaste.count)
        }
    }

    /// What was pasted, without what a terminal would obey.
    private static func paste(_ bytes: ArraySlice<UInt8>) -> Key {
        guard let text = String(validating: bytes, as: UTF8.self) else { return .malformed }
        let lines = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
        return .paste(lines.filter { $0 == "\n" || $0 == "\t" || !isControl($0) })
    }

    private static func isControl(_ character: Character) -> Bool {
        character.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// The key of a sequence that ends with this byte; ``Key/paste(_:)`` of nothing if a paste begins.
    private static func cursorKey(_ final: UInt8, parameters: [UInt8]) -> Key? {
        let numbers = String(decoding: parameters, as: UTF8.self).split(separator: ";").map { Int($0) ?? 0 }
        // 3 is Alt, 5 is Control: both move by words.
        let movesByWord = numbers.count > 1 && [3, 5].contains(numbers[1])
        switch final {
        case UInt8(ascii: "A"): return .up
        case UInt8(ascii: "B"): return .down
        case UInt8(ascii: "C"): return movesByWord ? .wordRight : .right
        case UInt8(ascii: "D"): return movesByWord ? .wordLeft : .left
        case UInt8(ascii: "H"): return .home
        case UInt8(ascii: "F"): return .end
        case UInt8(ascii: "~"):
            switch numbers.first {
            case 1, 7: return .home
            case 4, 8: return .end
            case 3: return .delete
            case 200: return .paste("")
            default: return nil
            }
        default: return nil
        }
    }

    private static let controls: [UInt8: Key] = [
        0x01: .home, 0x02: .left, 0x03: .interrupt, 0x04: .endOfInput, 0x05: .end, 0x06: .right, 0x08: .backspace,
        0x09: .character("\t"), 0x0A: .enter, 0x0B: .deleteToEnd, 0x0C: .redraw, 0x0D: .enter, 0x0E: .down,
        0x10: .up, 0x15: .deleteToStart, 0x17: .deleteWord, 0x19: .yank, 0x1A: .suspend, 0x7F: .backspace,
    ]
}

import Errors
import Foundation
import Peers
import QRCodes
import Testing

@Suite struct QRCodeTests {
    @Test(arguments: ["482913-maple-otter", "https://rendezvous.example/#482913-maple-otter", "Grüße 👋🏽 מסלול", "7"])
    func `another reader reads what was drawn for a terminal`(text: String) async throws {
        let code = try QRCode(text)
        for (halves, darkInk) in [(QRCode.Halves.darkOnLight, true), (.lightOnDark, false)] {
            #expect(try await Self.read(code.rows(of: halves), darkInk: darkInk) == text)
        }
    }

    @Test func `a code is as small as can be, and a longer text makes a larger one`() throws {
        #expect(try QRCode("7").side == 21)
        var last = 0
        for count in stride(from: 1, through: 2300, by: 100) {
            let code = try QRCode(String(repeating: "a", count: count))
            #expect(code.side >= last && (code.side - 21).isMultiple(of: 4) && code.side <= 177)
            #expect(code.rows(of: .darkOnLight).allSatisfy { $0.count == code.columns })
            last = code.side
        }
    }

    @Test(arguments: [3000, 1 << 20])
    func `what no code holds is an error that does not repeat it`(count: Int) throws {
        #expect(throws: QRCodeError.self) { try QRCode("a\0b") }
        let text = String(repeating: "a", count: count)
        let error = #expect(throws: QRCodeError.self) { try QRCode(text) }
        #expect(error?.code == .tooLong && error?.message.contains("aa") == false)
    }

    @Test func `everything around the code is light`() throws {
        let code = try QRCode("x")
        #expect(code.isDark(column: 0, row: 0))
        for (column, row) in [(-1, 0), (0, -1), (code.side, 0), (0, code.side), (.max, .min)] {
            #expect(!code.isDark(column: column, row: row))
        }
    }

    /// What a reader sees who draws the characters as squares.
    private static func read(_ rows: [String], darkInk: Bool) async throws -> String {
        let script = """
            import sys, zxingcpp
            ink = int(sys.argv[1]) == 0
            rows = sys.stdin.read().split("\\n")
            size, lines = 4, []
            for row in rows:
                for half in ("\\u2588\\u2580", "\\u2588\\u2584"):
                    line = bytes(255 if (c in half) == ink else 0 for c in row for _ in range(size))
                    lines += [line] * size
            image = memoryview(b"".join(lines)).cast("B", (len(lines), len(lines[0])))
            print(zxingcpp.read_barcode(image).text, end="")
            """
        let process = Process()
        process.executableURL = try Programs.python()
        process.arguments = ["-c", script, darkInk ? "1" : "0"]
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        process.environment = ["PYTHONIOENCODING": "utf-8", "LC_ALL": "C.UTF-8"]
        try process.run()
        input.fileHandleForWriting.write(Data(rows.joined(separator: "\n").utf8))
        try input.fileHandleForWriting.close()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }
}

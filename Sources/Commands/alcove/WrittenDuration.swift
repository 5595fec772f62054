/// A length of time as a person writes it: `60s`, `5m`, `12h`, `1d`, or a plain number of seconds.
enum WrittenDuration {
    static func seconds(_ text: String) -> Int? {
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let last = text.last else { return nil }
        let unit = units[last]
        guard let number = Int(unit == nil ? text : String(text.dropLast())), number > 0 else { return nil }
        let (seconds, overflow) = number.multipliedReportingOverflow(by: unit ?? 1)
        return overflow ? nil : seconds
    }

    /// The shortest way to write a number of seconds.
    static func text(seconds: Int) -> String {
        for (name, size) in [("d", 86_400), ("h", 3600), ("m", 60)] where seconds >= size && seconds % size == 0 {
            return "\(seconds / size)\(name)"
        }
        return "\(seconds)s"
    }
}

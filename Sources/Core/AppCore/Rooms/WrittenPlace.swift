// A place as people write it down, or as maps and phones hand it on. Nothing here asks anybody where it is.

extension Location {
    /// Reads two numbers of degrees (`48.2, 16.37`, `48.2° N 16.37° E`), a `geo:` URI (RFC 5870), or a link to a map that has the place in
    /// its address, as those of OpenStreetMap and Google Maps do. Addresses are only read, never asked: a shortened one says nothing.
    ///
    /// - Parameter written: at most ``RoomLimits/placeBytes``.
    /// - Returns: `nil` if there is no place in it, or none on Earth.
    package init?(written: String) {
        guard written.utf8.count <= RoomLimits.placeBytes else { return nil }
        let text = written.trimmed
        let start = text.prefix(8).lowercased()
        let found: Location? =
            if start.hasPrefix("geo:") {
                Self(uri: text.dropFirst(4))
            } else if start.hasPrefix("http://") || start.hasPrefix("https://") {
                Self(link: text)
            } else {
                Self(degrees: text)
            }
        guard let found, found.isValid else { return nil }
        self = found
    }

    /// What follows `geo:`: `latitude,longitude[,altitude][;crs=wgs84][;u=metres]`.
    private init?(uri: Substring) {
        // Android writes a query behind it, with a place that is searched.
        let parts = uri.prefix { $0 != "?" }.split(separator: ";", omittingEmptySubsequences: false)
        guard let first = parts.first else { return nil }
        let numbers = first.split(separator: ",", omittingEmptySubsequences: false).map(Self.number)
        guard (2...3).contains(numbers.count), let latitude = numbers[0], let longitude = numbers[1] else { return nil }
        self.init(latitude: latitude, longitude: longitude)
        for parameter in parts.dropFirst() {
            let pair = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = pair[0].lowercased()
            if name == "crs", pair.last?.lowercased() != "wgs84" { return nil }
            if name == "u", pair.count == 2 { accuracy = Self.number(pair[1]) }
        }
    }

    /// The place in the address of a map. A mark that somebody set counts more than the middle of what they looked at.
    private init?(link: String) {
        let text = link.replacing("%2C", with: ",").replacing("%2c", with: ",")
        let (latitude, longitude) = (Self.value("mlat", in: text), Self.value("mlon", in: text))
        let found =
            Self.pair(latitude, longitude)
            ?? Self.pair(Self.following("!3d", in: text), Self.following("!4d", in: text))
            ?? ["q", "query", "ll", "destination"].lazy.compactMap { Self.value($0, in: text) }.compactMap(Self.both)
            .first
            ?? Self.following("/@", in: text).flatMap(Self.both)
            ?? Self.following("map=", in: text).flatMap { Self.both(in: $0.drop { $0 != "/" }.dropFirst()) }
        guard let found else { return nil }
        self = found
    }

    /// Two numbers of degrees, each perhaps with its direction.
    private init?(degrees text: String) {
        var numbers: [(value: Double, direction: Character?)] = []
        let marked = text.map { "°,;".contains($0) ? " " : String($0) }.joined()
        for word in marked.split(whereSeparator: \.isWhitespace) {
            let direction = word.last.map { Character($0.uppercased()) }.flatMap { "NSEW".contains($0) ? $0 : nil }
            let digits = direction == nil ? word : word.dropLast()
            if let value = Self.number(digits) {
                numbers.append((value, direction))
            } else if digits.isEmpty, let last = numbers.indices.last, numbers[last].direction == nil {
                numbers[last].direction = direction
            } else {
                return nil
            }
        }
        guard numbers.count == 2 else { return nil }
        let axes = numbers.map { $0.direction.map { "NS".contains($0) } }
        switch (axes[0], axes[1]) {
        case (nil, nil), (true, false): break
        case (false, true): numbers.swapAt(0, 1)
        default: return nil
        }
        let values = numbers.map { $0.direction == "S" || $0.direction == "W" ? -$0.value : $0.value }
        self.init(latitude: values[0], longitude: values[1])
    }

    /// A number without an exponent. `Double` alone would take `nan` and `0x1p3`, too.
    private static func number(_ text: Substring) -> Double? {
        guard (1...32).contains(text.utf8.count), text.utf8.allSatisfy({ "+-.0123456789".utf8.contains($0) }) else {
            return nil
        }
        return Double(text)
    }

    private static func pair(_ latitude: Substring?, _ longitude: Substring?) -> Location? {
        guard let latitude = latitude.flatMap(leadingNumber), let longitude = longitude.flatMap(leadingNumber) else {
            return nil
        }
        return Location(latitude: latitude, longitude: longitude)
    }

    /// `48.2,16.37…` or `48.2/16.37…`.
    private static func both(in text: Substring) -> Location? {
        let parts = text.split(maxSplits: 2, omittingEmptySubsequences: false) { $0 == "," || $0 == "/" }
        guard parts.count >= 2 else { return nil }
        // What follows the second number belongs to the address.
        return number(parts[0]).flatMap { latitude in
            leadingNumber(parts[1]).map { Location(latitude: latitude, longitude: $0) }
        }
    }

    private static func leadingNumber(_ text: Substring) -> Double? {
        number(text.prefix { "+-.0123456789".contains($0) })
    }

    /// The value of a parameter of an address, also behind `#`.
    private static func value(_ name: String, in link: String) -> Substring? {
        link.split { "?&#".contains($0) }.dropFirst().first { $0.hasPrefix(name + "=") }?.dropFirst(name.count + 1)
    }

    private static func following(_ mark: String, in link: String) -> Substring? {
        link.firstRange(of: mark).map { link[$0.upperBound...] }
    }
}

extension RegularExpression {
    /// What may stand at one place of a name.
    struct CharacterSet: Hashable, Sendable {
        /// In ascending order, without overlaps.
        private(set) var ranges: [ClosedRange<UInt32>] = []
        private(set) var isInverted = false

        /// - Parameter ranges: in any order.
        init(_ ranges: [ClosedRange<UInt32>], isInverted: Bool = false) {
            self.isInverted = isInverted
            for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
                if let last = self.ranges.last, range.lowerBound <= last.upperBound {
                    self.ranges[self.ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
                } else {
                    self.ranges.append(range)
                }
            }
        }

        /// Takes a time that grows with the logarithm of the number of ranges.
        func contains(_ character: Unicode.Scalar) -> Bool {
            var (low, high) = (0, ranges.count)
            while low < high {
                let middle = (low + high) / 2
                if ranges[middle].upperBound < character.value { low = middle + 1 } else { high = middle }
            }
            return (low < ranges.count && ranges[low].contains(character.value)) != isInverted
        }

        /// The character, if it is one alone.
        var single: UInt32? {
            guard ranges.count == 1, ranges[0].count == 1, !isInverted else { return nil }
            return ranges[0].lowerBound
        }

        var inverted: Self { Self(ranges, isInverted: !isInverted) }

        static func one(_ character: Unicode.Scalar) -> Self { Self([character.value...character.value]) }

        static let all = Self([0...0x10ffff])
        static let digits = Self([0x30...0x39])
        static let word = Self([0x30...0x39, 0x41...0x5a, 0x5f...0x5f, 0x61...0x7a])
        static let space = Self([0x09...0x0d, 0x20...0x20, 0xa0...0xa0, 0x2028...0x2029, 0xfeff...0xfeff])
    }
}

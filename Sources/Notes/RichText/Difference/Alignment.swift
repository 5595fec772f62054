/// Which elements of two sequences belong together: a long common subsequence, found in nearly linear time.
///
/// Elements that occur once on both sides are anchors (the longest increasing run of them: patience). Between anchors the
/// shortest edit script is searched (Myers 1986) as far as it is near; what is too different there stays unmatched.
struct Alignment {
    /// Pairs of indices that grow on both sides.
    private(set) var pairs: [(old: Int, new: Int)] = []

    /// Beyond so many differences between two anchors no shortest script is searched.
    private static let differenceLimit = 300

    /// Anchors are looked for between anchors, and between these again, so often.
    private static let depthLimit = 16

    private let old: [Int]
    private let new: [Int]

    /// Aligns sequences of numbers that are equal where the elements are.
    init(_ old: [Int], _ new: [Int]) {
        self.old = old
        self.new = new
        align(0..<old.count, 0..<new.count, depth: 0)
    }

    /// Aligns any elements.
    init<Element: Hashable>(_ old: [Element], _ new: [Element]) {
        var numbers: [Element: Int] = [:]
        func number(_ element: Element) -> Int {
            if let number = numbers[element] { return number }
            numbers[element] = numbers.count
            return numbers.count - 1
        }
        self.init(old.map(number), new.map(number))
    }

    /// The stretches between the pairs, each before the pair with the same index; the last one is after all pairs.
    var gaps: [(old: Range<Int>, new: Range<Int>)] {
        var gaps: [(old: Range<Int>, new: Range<Int>)] = []
        var start = (old: 0, new: 0)
        for pair in pairs + [(old.count, new.count)] {
            gaps.append((start.old..<pair.old, start.new..<pair.new))
            start = (pair.old + 1, pair.new + 1)
        }
        return gaps
    }

    private mutating func align(_ oldRange: Range<Int>, _ newRange: Range<Int>, depth: Int) {
        var (oldRange, newRange) = (oldRange, newRange)
        while let first = oldRange.first, let other = newRange.first, old[first] == new[other] {
            pairs.append((first, other))
            oldRange = first + 1..<oldRange.upperBound
            newRange = other + 1..<newRange.upperBound
        }
        var tail: [(old: Int, new: Int)] = []
        while let last = oldRange.last, let other = newRange.last, old[last] == new[other] {
            tail.append((last, other))
            oldRange = oldRange.lowerBound..<last
            newRange = newRange.lowerBound..<other
        }
        if !oldRange.isEmpty, !newRange.isEmpty { alignMiddle(oldRange, newRange, depth: depth) }
        pairs += tail.reversed()
    }

    private mutating func alignMiddle(_ oldRange: Range<Int>, _ newRange: Range<Int>, depth: Int) {
        let anchors = depth < Self.depthLimit ? anchors(oldRange, newRange) : []
        guard !anchors.isEmpty else {
            pairs += shortestScript(oldRange, newRange)
            return
        }
        var start = (old: oldRange.lowerBound, new: newRange.lowerBound)
        for anchor in anchors {
            align(start.old..<anchor.old, start.new..<anchor.new, depth: depth + 1)
            pairs.append(anchor)
            start = (anchor.old + 1, anchor.new + 1)
        }
        align(start.old..<oldRange.upperBound, start.new..<newRange.upperBound, depth: depth + 1)
    }

    /// The longest increasing run of the elements that occur exactly once on each side.
    private func anchors(_ oldRange: Range<Int>, _ newRange: Range<Int>) -> [(old: Int, new: Int)] {
        let places = uniquePlaces(new, newRange)
        let unique = uniquePlaces(old, oldRange)
        let candidates = oldRange.compactMap { index -> (old: Int, new: Int)? in
            guard unique[old[index]] == index, let place = places[old[index]], place >= 0 else { return nil }
            return (index, place)
        }
        // Patience: the top of each pile, and for each candidate the one below it.
        var piles: [Int] = []
        var below = [Int](repeating: -1, count: candidates.count)
        for (index, candidate) in candidates.enumerated() {
            let pile = piles.partitioningIndex { candidates[$0].new >= candidate.new }
            below[index] = pile > 0 ? piles[pile - 1] : -1
            if pile < piles.count { piles[pile] = index } else { piles.append(index) }
        }
        var run: [(old: Int, new: Int)] = []
        var index = piles.last ?? -1
        while index >= 0 {
            run.append(candidates[index])
            index = below[index]
        }
        return run.reversed()
    }

    /// Where the elements are that occur once; -1 for the others.
    private func uniquePlaces(_ elements: [Int], _ range: Range<Int>) -> [Int: Int] {
        var places: [Int: Int] = [:]
        for index in range { places[elements[index]] = places[elements[index]] == nil ? index : -1 }
        return places
    }

    /// Myers' greedy search; empty beyond the limit.
    private func shortestScript(_ oldRange: Range<Int>, _ newRange: Range<Int>) -> [(old: Int, new: Int)] {
        let (oldCount, newCount) = (oldRange.count, newRange.count)
        let limit = min(oldCount + newCount, Self.differenceLimit)
        // How far each diagonal has come, before each step.
        var steps: [[Int]] = []
        var furthest = [Int](repeating: 0, count: 2 * limit + 3)
        let middle = limit + 1
        for count in 0...limit {
            steps.append(furthest)
            for diagonal in stride(from: -count, through: count, by: 2) {
                let isDown = Self.isDown(diagonal, count, furthest, middle)
                var x = isDown ? furthest[middle + diagonal + 1] : furthest[middle + diagonal - 1] + 1
                var y = x - diagonal
                while x < oldCount, y >= 0, y < newCount,
                    old[oldRange.lowerBound + x] == new[newRange.lowerBound + y]
                {
                    (x, y) = (x + 1, y + 1)
                }
                furthest[middle + diagonal] = x
                if x >= oldCount, diagonal == oldCount - newCount {
                    return path(back: steps, from: (oldCount, newCount), middle).map {
                        (oldRange.lowerBound + $0.old, newRange.lowerBound + $0.new)
                    }
                }
            }
        }
        return []
    }

    private static func isDown(_ diagonal: Int, _ count: Int, _ furthest: [Int], _ middle: Int) -> Bool {
        diagonal == -count
            || (diagonal != count && furthest[middle + diagonal - 1] < furthest[middle + diagonal + 1])
    }

    private func path(back steps: [[Int]], from end: (Int, Int), _ middle: Int) -> [(old: Int, new: Int)] {
        var path: [(old: Int, new: Int)] = []
        var (x, y) = end
        for (count, furthest) in steps.enumerated().reversed() {
            let diagonal = x - y
            let isDown = Self.isDown(diagonal, count, furthest, middle)
            let before = count == 0 ? (0, 0) : previous(furthest, middle, isDown ? diagonal + 1 : diagonal - 1)
            while x > before.0, y > before.1 {
                (x, y) = (x - 1, y - 1)
                path.append((x, y))
            }
            (x, y) = before
        }
        return path.reversed()
    }

    private func previous(_ furthest: [Int], _ middle: Int, _ diagonal: Int) -> (Int, Int) {
        let x = furthest[middle + diagonal]
        return (x, x - diagonal)
    }
}

extension [Int] {
    /// The first index from which on all elements fulfil the condition.
    fileprivate func partitioningIndex(where isAfter: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension Array where Element: Comparable {
    /// The indices of a longest subsequence that rises strictly. Takes n log n steps.
    var longestRise: [Int] {
        /// For each length, the index at which a rise of that length ends lowest.
        var ends: [Int] = []
        var previous = [Int?](repeating: nil, count: count)
        for index in indices {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if self[ends[middle]] < self[index] { low = middle + 1 } else { high = middle }
            }
            previous[index] = low > 0 ? ends[low - 1] : nil
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var rise: [Int] = []
        var next = ends.last
        while let index = next {
            rise.append(index)
            next = previous[index]
        }
        return rise.reversed()
    }
}

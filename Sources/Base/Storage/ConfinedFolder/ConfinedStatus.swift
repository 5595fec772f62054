/// What the file system says of a file without its content.
package struct ConfinedStatus: Hashable, Sendable {
    package let kind: FileStatus.Kind
    /// Bytes.
    package let size: Int64
    /// What it takes on the disk, in units of 512 bytes.
    package let blocks: Int64
    /// Bytes that are best read or written at once.
    package let blockSize: Int32
    package let inode: UInt64
    package let born: Time
    package let modified: Time
    package let accessed: Time

    /// A moment since 1970.
    package struct Time: Hashable, Sendable {
        package let seconds: Int64
        /// 0 to 999 999 999, also before 1970.
        package let nanoseconds: Int64

        package var milliseconds: Int64 {
            let (product, isTooMuch) = seconds.multipliedReportingOverflow(by: 1000)
            return isTooMuch ? (seconds < 0 ? .min : .max) : product + nanoseconds / 1_000_000
        }
    }
}

internal import Platform

/// Extended attributes of an open file or folder. Names are those of the system, on Linux with the prefix `user.`. All
/// methods throw `notImplemented` where the file system has no attributes.
package struct ExtendedAttributes: Sendable {
    let descriptor: FileDescriptor

    /// The most bytes of all names of one file.
    private static let listLimit = 64 << 10

    /// The names of all attributes, in no order, without those that are no UTF-8.
    package func names() throws(FileError) -> [String] {
        // Most files have none. Asking for the size first takes no memory.
        if try list(into: nil, 0) == 0 { return [] }
        var bytes = [CChar](repeating: 0, count: Self.listLimit)
        let count = try list(into: &bytes, bytes.count)
        return bytes[..<count].split(separator: 0).compactMap { name in
            String(validating: name.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }

    private func list(into bytes: UnsafeMutablePointer<CChar>?, _ room: Int) throws(FileError) -> Int {
        #if canImport(Darwin)
        let count = flistxattr(descriptor.number, bytes, room, 0)
        #else
        let count = flistxattr(descriptor.number, bytes, room)
        #endif
        guard count >= 0 else { throw .last }
        return count
    }

    /// Bytes of a value; nil if there is none of this name.
    package func size(_ name: String) throws(FileError) -> Int? {
        #if canImport(Darwin)
        let count = fgetxattr(descriptor.number, name, nil, 0, 0, 0)
        #else
        let count = fgetxattr(descriptor.number, name, nil, 0)
        #endif
        if count >= 0 { return count }
        if errno == Self.missing { return nil }
        throw .last
    }

    /// nil if there is none of this name.
    package func value(_ name: String, atMost limit: Int) throws(FileError) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: limit)
        #if canImport(Darwin)
        let count = fgetxattr(descriptor.number, name, &bytes, limit, 0, 0)
        #else
        let count = fgetxattr(descriptor.number, name, &bytes, limit)
        #endif
        if count >= 0 { return Array(bytes[..<count]) }
        if errno == Self.missing { return nil }
        throw .last
    }

    /// Sets an attribute, in place of one that has the name.
    package func set(_ name: String, to value: [UInt8]) throws(FileError) {
        #if canImport(Darwin)
        let result = fsetxattr(descriptor.number, name, value, value.count, 0, 0)
        #else
        let result = fsetxattr(descriptor.number, name, value, value.count, 0)
        #endif
        guard result == 0 else { throw .last }
    }

    /// Removes one if it is there.
    package func remove(_ name: String) throws(FileError) {
        #if canImport(Darwin)
        let result = fremovexattr(descriptor.number, name, 0)
        #else
        let result = fremovexattr(descriptor.number, name)
        #endif
        guard result == 0 || errno == Self.missing else { throw .last }
    }

    /// Returns when the attributes are on the disk.
    package func synchronize() throws(FileError) {
        if FileDescriptor.retry({ fsync(descriptor.number) }) != 0, errno != EINVAL { throw .last }
    }

    #if canImport(Darwin)
    private static let missing = ENOATTR
    #else
    private static let missing = ENODATA
    #endif
}

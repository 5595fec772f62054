// The C library of the platform, and the calls of the Linux kernel that Swift's module of it leaves out, under one
// name for all targets.
#if canImport(Glibc)
@_exported public import CLinux
@_exported public import Glibc
#elseif canImport(Musl)
@_exported public import CLinux
@_exported public import Musl
#elseif canImport(Darwin)
@_exported public import Darwin
#endif

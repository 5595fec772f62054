// The C library of the platform under one name for all targets. On Linux it adds kernel calls that Swift's module
// lacks.
#if canImport(Glibc)
@_exported public import CLinux
@_exported public import Glibc
#elseif canImport(Musl)
@_exported public import CLinux
@_exported public import Musl
#elseif canImport(Darwin)
@_exported public import Darwin
#endif

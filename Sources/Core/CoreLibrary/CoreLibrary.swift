// The shared library `libalcove_core.so`: the functions of `CoreABI`, linked in a way of its own (see Package.swift).
import CoreABI

private import Platform

/// `errno` of the last call, which the C libraries below set too.
var systemError: Int32 { errno }

/// Whether a non-blocking call has nothing to do right now.
var wouldBlock: Bool { errno == EWOULDBLOCK || errno == EAGAIN }

/// Whether a connection attempt is in progress.
var isInProgress: Bool { errno == EINPROGRESS }

/// Whether a packet did not leave because it is larger than the interface carries.
var isTooLarge: Bool { errno == EMSGSIZE }

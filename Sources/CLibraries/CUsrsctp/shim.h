// usrsctp: SCTP in user space, the transport under WebRTC data channels.
// Named here rather than through pkg-config, whose -DINET flags SwiftPM does not pass on.
#pragma once
#ifndef INET
#define INET 1
#endif
#ifndef INET6
#define INET6 1
#endif
#include <sys/socket.h>
#include <netinet/in.h>
#include <usrsctp.h>

// Swift 6.3 looks this enumerator up in one module for all files of a target, which is not this one where another file uses sockets.
static const int alcove_stream_socket = SOCK_STREAM;

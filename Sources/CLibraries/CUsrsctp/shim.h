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

// libwebsockets: HTTP and WebSocket, server and client, on one service thread.
#pragma once
#include <libwebsockets.h>

// hiredis, the C client of Redis. Its pkg-config file has a flag that SwiftPM refuses.
#pragma once
#include <hiredis/hiredis.h>

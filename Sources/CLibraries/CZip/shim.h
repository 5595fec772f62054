// libzip, for reading app packs.
#pragma once
#include <zip.h>

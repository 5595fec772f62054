// libsodium, for XSalsa20-Poly1305 secret boxes, which OpenSSL does not have.
#pragma once
#include <sodium.h>

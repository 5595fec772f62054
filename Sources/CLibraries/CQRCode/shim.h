// libqrcodegen, for QR codes; its macro of a buffer's length is a function that Swift cannot import.
#pragma once
#include <qrcodegen/qrcodegen.h>

static inline int alcove_qr_buffer_length(void) { return qrcodegen_BUFFER_LEN_MAX; }

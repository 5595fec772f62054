// JavaScriptCore by its C interface, the same as on Apple platforms, and the GLib loop that its own work is posted to.
#pragma once
#include <JavaScriptCore/JavaScript.h>
#include <glib.h>

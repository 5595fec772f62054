// JavaScriptCore by its C interface, the same on Apple platforms, and on Linux the GLib loop that its own work is
// posted to.
#pragma once

#ifdef __APPLE__
#include <JavaScriptCore/JavaScriptCore.h>
#else
#include <JavaScriptCore/JavaScript.h>
#include <glib-unix.h>
#include <glib.h>

/// Sets an option of the engine; before its first use only.
JS_EXPORT gboolean jsc_options_set_boolean(const char* option, gboolean value);

/// Makes the calling thread's loop the engine's main one: `WTF::initializeMainThread()`.
JS_EXPORT void AlcoveInitializeMainThread(void) __asm__("_ZN3WTF20initializeMainThreadEv");

/// Makes the engine's watch over the memory: `WTF::MemoryPressureHandler::singleton()`.
JS_EXPORT void* AlcoveMemoryPressureHandler(void) __asm__("_ZN3WTF21MemoryPressureHandler9singletonEv");
#endif

// Exported by the library on all platforms, though its public headers leave them out.

/// Asked on the thread of the script when the time is over: true stops the script.
typedef bool (*AlcoveShouldTerminate)(JSContextRef context, void* data);

JS_EXPORT void JSContextGroupSetExecutionTimeLimit(
    JSContextGroupRef group, double seconds, AlcoveShouldTerminate callback, void* data);

JS_EXPORT void JSContextGroupClearExecutionTimeLimit(JSContextGroupRef group);

/// Called on the thread of the script when garbage was collected; must not use the heap.
typedef void (*AlcoveHeapFinalizer)(JSContextGroupRef group, void* data);

JS_EXPORT void JSContextGroupAddHeapFinalizer(JSContextGroupRef group, AlcoveHeapFinalizer finalizer, void* data);
JS_EXPORT void JSContextGroupRemoveHeapFinalizer(JSContextGroupRef group, AlcoveHeapFinalizer finalizer, void* data);

/// `function` is called with the promise and the reason.
JS_EXPORT void JSGlobalContextSetUnhandledRejectionCallback(
    JSGlobalContextRef context, JSObjectRef function, JSValueRef* exception);

/// An object of figures about the heap.
JS_EXPORT JSObjectRef JSGetMemoryUsageStatistics(JSContextRef context);

/// Collects garbage before it returns; `JSGarbageCollect` only asks for it.
JS_EXPORT void JSSynchronousGarbageCollectForDebugging(JSContextRef context);

// What ThreadSanitizer must be told about synchronisation inside a library that was compiled without it.
//
// `publish(token)` on one thread and a later `observe(token)` on another state an order: everything before the first
// happened before everything after the second. They synchronise nothing themselves, the library has done that.
// `HideLibrary` marks a scope in which a thread runs the library's own header templates. Their task objects travel
// between threads under synchronisation that lives in the uninstrumented half. Checking one half alone reports races
// that do not exist. `ShowCaller` lifts the mark while user code runs, which is checked as ever. All of it is empty in
// other builds. Thread-safety: each object belongs to the thread that made it. Source:
// sanitizer_common/sanitizer_interface_internal.h.
#pragma once

#include "kernels/thread_sanitizer.h"

#if defined(HOGWILD_THREAD_SANITIZER)

extern "C" {
void __tsan_acquire(void* address);
void __tsan_release(void* address);
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
void AnnotateIgnoreWritesBegin(const char* file, int line);
void AnnotateIgnoreWritesEnd(const char* file, int line);
}

namespace hogwild::happens_before {

inline constexpr bool kStated = true; // whether this build has someone to tell

inline void publish(void* token) { __tsan_release(token); }
inline void observe(void* token) { __tsan_acquire(token); }

// How many HideLibrary scopes this thread is in; the sanitizer's own counter must never fall below zero.
inline thread_local int hidden_depth = 0;

inline void hide() {
    if (hidden_depth++ > 0) return;
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
}

inline void show() {
    if (--hidden_depth > 0) return;
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
}

class ShowCaller {
public:
    ShowCaller() : depth_(hidden_depth) {
        if (depth_ > 0) {
            hidden_depth = 1;
            show();
        }
    }
    ShowCaller(const ShowCaller&) = delete;
    ShowCaller& operator=(const ShowCaller&) = delete;
    ~ShowCaller() {
        if (depth_ > 0) {
            hide();
            hidden_depth = depth_;
        }
    }

private:
    int depth_;
};

} // namespace hogwild::happens_before

#else

namespace hogwild::happens_before {

inline constexpr bool kStated = false;

inline void publish(void*) {}
inline void observe(void*) {}
inline void hide() {}
inline void show() {}

class ShowCaller {
public:
    ShowCaller() {}
    ShowCaller(const ShowCaller&) = delete;
    ShowCaller& operator=(const ShowCaller&) = delete;
    ~ShowCaller() {}
};

} // namespace hogwild::happens_before

#endif

namespace hogwild::happens_before {

class HideLibrary {
public:
    HideLibrary() { hide(); }
    HideLibrary(const HideLibrary&) = delete;
    HideLibrary& operator=(const HideLibrary&) = delete;
    ~HideLibrary() { show(); }
};

} // namespace hogwild::happens_before

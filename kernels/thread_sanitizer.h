// HOGWILD_THREAD_SANITIZER is defined where ThreadSanitizer watches: gcc and clang each say so in their own way. There loads and
// increments of several coordinates are done one by one, since it does not know instructions that take several at once.
#pragma once

#if defined(__SANITIZE_THREAD__)
#define HOGWILD_THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HOGWILD_THREAD_SANITIZER
#endif
#endif

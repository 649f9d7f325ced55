// One run that fails takes no other with it: what it throws becomes its outcome.
#pragma once

#include "engine/machine/limits/limits.h"
#include "engine/record/outcome.h"

#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <utility>

namespace hogwild {

inline Outcome failure(std::string why) {
    Outcome failed;
    failed.status = kFailedStatus.name;
    failed.reason = std::move(why);
    return failed;
}

/// What `run` returns, or its failure.
template <class Run>
Outcome outcome_of_run(const Run& run) {
    try {
        return run();
    } catch (const std::bad_alloc&) {
        return failure(
            "memory ran out (the run's buffers did not fit); use fewer threads, smaller data or more memory");
    } catch (const std::system_error& error) {
        return failure(error_of(error).what());
    } catch (const std::exception& error) {
        return failure(error.what());
    }
}

} // namespace hogwild

// Errors that reach the user, in the grammar `what is wrong (why); what to try`.
#pragma once

#include <stdexcept>
#include <string>

namespace hogwild {

/// What a failure means to whoever started the program; the value is its exit code.
enum class Failure { kError = 1, kUsage = 2, kMissing = 69, kDisk = 74 };

/// `what()` reads "WHAT (WHY); TRY" and is shown to the user as it is.
class Error : public std::runtime_error {
public:
    Error(Failure failure, const std::string& what, const std::string& why, const std::string& suggestion)
        : std::runtime_error(what + " (" + why + "); " + suggestion), failure_(failure) {}

    Error(const std::string& what, const std::string& why, const std::string& suggestion)
        : Error(Failure::kError, what, why, suggestion) {}

    /// The same, said to be at `where`, such as "file:line".
    Error(const std::string& where, const Error& error)
        : std::runtime_error(where + ": " + error.what()), failure_(error.failure_) {}

    Failure failure() const { return failure_; }

private:
    Failure failure_;
};

} // namespace hogwild

#include "experiments/fetch/address.h"

#include <curl/curl.h>

#include <memory>

namespace hogwild {
namespace {

struct Free {
    void operator()(CURLU* url) const { curl_url_cleanup(url); }
};

/// What no library understands: all up to the last @ could be a login.
std::string behind_last_at(const std::string& address) {
    const std::size_t scheme = address.find("://");
    return (scheme == std::string::npos ? "" : address.substr(0, scheme + 3)) + address.substr(address.rfind('@') + 1);
}

} // namespace

std::string without_login(const std::string& address) {
    if (address.find('@') == std::string::npos) return address;
    const std::unique_ptr<CURLU, Free> url(curl_url());
    if (!url || curl_url_set(url.get(), CURLUPART_URL, address.c_str(), CURLU_NON_SUPPORT_SCHEME) != CURLUE_OK)
        return behind_last_at(address);
    for (const CURLUPart part : {CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS})
        curl_url_set(url.get(), part, nullptr, 0);
    char* text = nullptr;
    if (curl_url_get(url.get(), CURLUPART_URL, &text, 0) != CURLUE_OK) return behind_last_at(address);
    const std::unique_ptr<char, void (*)(void*)> owned(text, curl_free);
    return text;
}

} // namespace hogwild

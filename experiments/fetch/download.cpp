#include "experiments/fetch/download.h"

#include "engine/called.h"
#include "engine/error.h"
#include "engine/machine/limits/limits.h"
#include "engine/machine/provenance.h"
#include "engine/numbers.h"
#include "experiments/fetch/address.h"
#include "experiments/fetch/setbacks.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <memory>
#include <optional>
#include <string_view>

namespace hogwild {
namespace {

constexpr long kMostRedirects = 10;
constexpr long kConnectSeconds = 30;
constexpr long kSilentSeconds = 60; // without a byte: the connection is dead
constexpr long kPartialContent = 206;
constexpr long kRangeNotSatisfiable = 416;

struct Wanted {
    std::string address;
    std::string told;    // the address without a login
    std::uint64_t known; // bytes of the file; 0: not known
};

/// One request.
class Attempt {
public:
    Attempt(const Wanted& wanted, PartFile& part, const std::atomic<bool>& interrupt, const WatchDownload& watch)
        : wanted_(wanted), part_(part), interrupt_(interrupt), watch_(watch), curl_(curl_easy_init()) {
        if (!curl_) throw Error("nothing can be fetched", "libcurl refused to start", "free memory");
    }

    CURLcode perform() {
        goes_on_ = part_.size() > 0 && part_.of().address == wanted_.told;
        const std::string protocols = wanted_.address.starts_with("https:") ? "https" : "http,https";
        const std::string agent = "hogwild/" + build_facts().version;
        const std::string range = fmt::format("{}-", part_.size());
        curl_slist* headers = nullptr;
        if (goes_on_) {
            set(CURLOPT_RANGE, range.c_str());
            if (!part_.of().version.empty()) {
                headers = curl_slist_append(headers, ("If-Range: " + part_.of().version).c_str());
            }
        }
        set(CURLOPT_URL, wanted_.address.c_str());
        set(CURLOPT_HTTPHEADER, headers);
        set(CURLOPT_USERAGENT, agent.c_str());
        set(CURLOPT_PROTOCOLS_STR, "http,https");
        set(CURLOPT_REDIR_PROTOCOLS_STR, protocols.c_str());
        set(CURLOPT_FOLLOWLOCATION, 1L);
        set(CURLOPT_MAXREDIRS, kMostRedirects);
        set(CURLOPT_FAILONERROR, 1L);
        set(CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
        set(CURLOPT_LOW_SPEED_LIMIT, 1L);
        set(CURLOPT_LOW_SPEED_TIME, kSilentSeconds);
        set(CURLOPT_NOPROGRESS, 0L);
        set(CURLOPT_XFERINFOFUNCTION, &Attempt::on_progress);
        set(CURLOPT_XFERINFODATA, this);
        set(CURLOPT_WRITEFUNCTION, &Attempt::on_bytes);
        set(CURLOPT_WRITEDATA, this);
        CURLcode code = curl_easy_perform(curl_.get());
        curl_slist_free_all(headers);
        if (!failure_ && code == CURLE_OK && !began_) begin(); // an empty file has no bytes to call us with
        if (failure_) std::rethrow_exception(failure_);
        return code;
    }

    long answer() const {
        long code = 0;
        curl_easy_getinfo(curl_.get(), CURLINFO_RESPONSE_CODE, &code);
        return code;
    }

    /// Why the last call of the system failed; 0: it did not.
    int system_error() const {
        long number = 0;
        curl_easy_getinfo(curl_.get(), CURLINFO_OS_ERRNO, &number);
        return static_cast<int>(number);
    }

    /// It asked for the rest of something.
    bool goes_on() const { return goes_on_; }

    /// The bytes of the whole, as far as the server has said; 0: not known.
    std::uint64_t total() const { return total_ != 0 ? total_ : part_.of().total; }

    /// The rest that came begins elsewhere than our part ends.
    bool misses() const { return misses_; }

private:
    struct Close {
        void operator()(CURL* curl) const { curl_easy_cleanup(curl); }
    };

    template <class Value>
    void set(CURLoption option, Value value) {
        curl_easy_setopt(curl_.get(), option, value);
    }

    std::string header(const char* name) const {
        curl_header* found = nullptr;
        return curl_easy_header(curl_.get(), name, 0, CURLH_HEADER, -1, &found) == CURLHE_OK ? found->value : "";
    }

    /// With the first bytes: are they the rest, or a file from its beginning?
    void begin() {
        began_ = true;
        const bool is_rest = answer() == kPartialContent;
        const std::string range = is_rest ? header("Content-Range") : ""; // "bytes 5-9/10", or "*" for the 10
        const std::uint64_t total =
            parse_count(is_rest ? range.substr(range.find('/') + 1) : header("Content-Length")).value_or(0);
        total_ = total;
        if (is_rest) {
            const std::uint64_t before = part_.of().total;
            misses_ = !range.starts_with(fmt::format("bytes {}-", part_.size())) ||
                      (goes_on_ && total != 0 && before != 0 && total != before);
            if (misses_ || goes_on_) return;
        }
        std::string version = header("ETag");
        if (version.empty() || version.starts_with("W/"))
            version = header("Last-Modified"); // a weak one promises no bytes
        part_.restart({wanted_.told, version, total});
    }

    static std::size_t on_bytes(char* bytes, std::size_t, std::size_t count, void* self) {
        return static_cast<Attempt*>(self)->take({bytes, count});
    }

    /// Any other number than that of the bytes ends the transfer. No exception may pass through libcurl.
    std::size_t take(std::string_view bytes) {
        try {
            if (!began_) begin();
            if (misses_) return bytes.size() + 1;
            const std::uint64_t most = wanted_.known != 0 ? wanted_.known : part_.of().total;
            if (most != 0 && bytes.size() > most - std::min(most, part_.size())) refuse_longer(most);
            part_.append(bytes);
            return bytes.size();
        } catch (...) {
            failure_ = std::current_exception();
            return bytes.size() + 1;
        }
    }

    [[noreturn]] void refuse_longer(std::uint64_t most) {
        part_.restart({});
        throw Error(wanted_.told + " is not the file that is known",
                    fmt::format("the server sends more than its {} bytes", grouped(most)),
                    "what arrived was not kept; try again, or another mirror with --from URL");
    }

    static int on_progress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
        const auto& attempt = *static_cast<Attempt*>(self);
        if (attempt.began_) attempt.watch_(attempt.part_.size(), attempt.part_.of().total);
        return attempt.interrupt_.load(std::memory_order_relaxed) ? 1 : 0;
    }

    const Wanted& wanted_;
    PartFile& part_;
    const std::atomic<bool>& interrupt_;
    const WatchDownload& watch_;
    std::unique_ptr<CURL, Close> curl_;
    std::exception_ptr failure_;
    bool goes_on_ = false;
    bool began_ = false;
    bool misses_ = false;
    std::uint64_t total_ = 0;
};

/// The server was there and the connection ended too early.
bool is_cut(CURLcode code) {
    switch (code) {
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM: return true;
    default: return false;
    }
}

[[noreturn]] void refuse(const std::string& address, const PartFile& part, CURLcode code, const Attempt& attempt) {
    const int error = attempt.system_error();
    if (error == EMFILE || error == ENFILE)
        throw Error(Failure::kMissing, "cannot fetch " + address, reason_of(error), remedy_of(error, ""));
    const std::string why = code == CURLE_OK            ? "it ends before all bytes that it should have"
                            : code == CURLE_WRITE_ERROR ? "the server answers with other bytes than were asked for"
                            : code == CURLE_HTTP_RETURNED_ERROR ? fmt::format("the server answers {}", attempt.answer())
                            : code == CURLE_TOO_MANY_REDIRECTS
                                ? fmt::format("it redirects more than {} times", kMostRedirects)
                            : code == CURLE_UNSUPPORTED_PROTOCOL ? "it leads to something else than http and https"
                            : code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_CONNECT
                                ? std::string("no connection: ") + curl_easy_strerror(code)
                                : curl_easy_strerror(code);
    const std::string kept =
        part.size() == 0 ? "try again later"
                         : fmt::format("run the command again, which goes on after {} bytes", grouped(part.size()));
    throw Error(
        Failure::kMissing, "cannot fetch " + address, why,
        fmt::format("{}, name a mirror with --from URL, or use generated data: synthetic:rcv1, synthetic:images "
                    "and others ({} run --help)",
                    kept, called()));
}

} // namespace

bool download(const std::string& address, std::uint64_t known, PartFile& part, const std::atomic<bool>& interrupt,
              const WatchDownload& watch) {
    static const CURLcode ready = curl_global_init(CURL_GLOBAL_DEFAULT);
    if (ready != CURLE_OK) throw Error("nothing can be fetched", curl_easy_strerror(ready), "free memory");
    const Wanted wanted{address, without_login(address), known};
    if (part.size() > 0 && part.of().address == wanted.told && part.size() == part.of().total) return true;
    Setbacks setbacks(part.size());
    for (;;) {
        Attempt attempt(wanted, part, interrupt, watch);
        const CURLcode code = attempt.perform();
        const bool is_whole = attempt.total() == 0 || part.size() == attempt.total();
        if (code == CURLE_OK && is_whole && !attempt.misses()) return true;
        if (code == CURLE_ABORTED_BY_CALLBACK) return false;
        if (attempt.misses() || (attempt.goes_on() && attempt.answer() == kRangeNotSatisfiable)) {
            part.restart({}); // what is there is no beginning of what the server has
        } else if ((code != CURLE_OK && !is_cut(code)) || !setbacks.brought_more(part.size())) {
            refuse(wanted.told, part, code, attempt);
        }
        if (setbacks.too_many()) refuse(wanted.told, part, code, attempt);
        if (!setbacks.pause(interrupt)) return false;
    }
}

} // namespace hogwild

#include "engine/data/words/tokens.h"

#include "engine/data/synthetic/alias_table.h"
#include "engine/data/text/text_blocks.h"
#include "engine/data/words/tokens_block.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr std::uint64_t kMostWithoutBlank = 1 << 20;
constexpr std::uint32_t kLeftOut = ~0u;

/// Blocks with ids of one vocabulary.
class TokensText final : public TextParser {
public:
    TokensText(const std::string& name, std::uint64_t max_array_bytes)
        : body_(name, max_array_bytes, parse_tokens_block) {}

    const std::string& name() const override { return body_.name(); }
    std::uint64_t lines() const override { return body_.lines(); }

    // A few blocks at a time: each has a vocabulary of its own until it is joined.
    void parse(const std::vector<std::string_view>& texts, const std::function<void()>& beside,
               const std::function<void(std::string_view)>& after) override {
        const std::size_t together = 4 * std::size_t{parallelism()};
        for (std::size_t begin = 0; begin == 0 || begin < texts.size(); begin += together) {
            const std::size_t end = std::min(begin + together, texts.size());
            body_.parse(
                {texts.begin() + static_cast<std::ptrdiff_t>(begin), texts.begin() + static_cast<std::ptrdiff_t>(end)},
                begin == 0 ? beside : nullptr, after);
            join();
        }
    }

    std::vector<TokensBlock>& blocks() { return body_.blocks(); }
    const Vocabulary& words() const { return words_; }
    const std::vector<std::uint64_t>& counts() const { return counts_; }

private:
    void join() {
        std::vector<TokensBlock>& blocks = body_.blocks();
        for (; joined_ < blocks.size(); ++joined_) {
            TokensBlock& block = blocks[joined_];
            const Vocabulary words =
                std::move(block.words); // freed at the end of this turn; assigned to, its text would stay
            std::vector<std::uint32_t> ids(words.size());
            for (std::uint32_t id = 0; id < ids.size(); ++id) ids[id] = words_.add(words.word(id));
            if (words_.size() > TokensBlock::kBreak) {
                throw Error(fmt::format("{} has more than {} different words", name(), TokensBlock::kBreak),
                            "ids of words have 31 bits", "use a part of the text");
            }
            counts_.resize(words_.size());
            for (std::uint32_t& id : block.ids.span()) {
                const std::uint32_t word = ids[id & ~TokensBlock::kBreak];
                ++counts_[word];
                id = word | (id & TokensBlock::kBreak);
            }
        }
    }

    TextBlocks<TokensBlock> body_;
    Vocabulary words_;
    std::vector<std::uint64_t> counts_;
    std::size_t joined_ = 0;
};

/// The words that occur often enough, by falling count, then by their bytes.
std::vector<std::uint32_t> frequent(const Vocabulary& words, const std::vector<std::uint64_t>& counts,
                                    std::uint64_t min_count) {
    std::vector<std::uint32_t> kept;
    for (std::uint32_t id = 0; id < words.size(); ++id) {
        if (counts[id] >= min_count) kept.push_back(id);
    }
    std::ranges::sort(kept, [&](std::uint32_t a, std::uint32_t b) {
        return counts[a] != counts[b] ? counts[a] > counts[b] : words.word(a) < words.word(b);
    });
    return kept;
}

void check(const std::string& name, const std::vector<std::uint64_t>& counts, std::size_t kept,
           std::uint64_t min_count) {
    if (counts.empty())
        throw Error(name + " holds no word", "it is empty, or blanks only", "check that it is the file you mean");
    if (kept > 0) return;
    const std::uint64_t most = *std::ranges::max_element(counts);
    throw Error(fmt::format("{} has no word that occurs {} times", name, min_count),
                fmt::format("the most frequent one occurs {} times", most),
                fmt::format("use --min-count {} or less, or a longer text", most));
}

/// A block's share: words that are kept, and whether a sentence ends before the first of them and behind the last.
struct Share {
    std::uint64_t kept = 0;
    bool breaks_before = false, breaks_behind = false;
};

Share share_of(const TokensBlock& block, const std::vector<std::uint32_t>& numbers) {
    Share share;
    bool broken = false;
    for (const std::uint32_t id : block.ids.span()) {
        broken |= id >= TokensBlock::kBreak;
        if (numbers[id & ~TokensBlock::kBreak] == kLeftOut) continue;
        if (share.kept++ == 0) share.breaks_before = broken;
        broken = false;
    }
    broken |= block.breaks_behind;
    (share.kept == 0 ? share.breaks_before : share.breaks_behind) = broken;
    return share;
}

/// Renumbers the blocks' words into one array, and frees the blocks one by one.
PageArray<std::uint32_t> joined(std::vector<TokensBlock>& blocks, const std::vector<std::uint32_t>& numbers) {
    std::vector<Share> shares(blocks.size());
    parallel_for(blocks.size(), 1, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t i = begin; i < end; ++i) shares[i] = share_of(blocks[i], numbers);
    });
    std::vector<std::uint64_t> places{0};
    std::vector<bool> begins; // the block's first word that is kept begins a sentence
    bool broken = true;
    for (const Share& share : shares) {
        places.push_back(places.back() + share.kept);
        broken |= share.breaks_before;
        begins.push_back(broken);
        if (share.kept > 0) broken = share.breaks_behind;
    }
    auto tokens = PageArray<std::uint32_t>::unfilled(places.back());
    // In order, whatever the split: neighbouring pages are filled while blocks behind them are freed.
    std::atomic<std::size_t> next{0};
    parallel_for(blocks.size(), 1, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t turn = begin; turn < end; ++turn) {
            const std::size_t i = next.fetch_add(1, std::memory_order_relaxed);
            const PageArray<std::uint32_t> ids = std::move(blocks[i].ids); // freed at the end of this turn
            tokens.hold(places[i + 1]);
            std::uint32_t* out = tokens.data() + places[i];
            bool first = begins[i];
            for (const std::uint32_t id : ids.span()) {
                first |= id >= TokensBlock::kBreak;
                const std::uint32_t number = numbers[id & ~TokensBlock::kBreak];
                if (number == kLeftOut) continue;
                *out++ = number | (first ? TokensView::kFirst : 0);
                first = false;
            }
        }
    });
    return tokens;
}

} // namespace

TokensView TokensArray::view() const {
    TokensView view;
    view.tokens = tokens.data();
    view.rarity = rarity.data();
    view.noise = noise.data();
    view.rows = tokens.size();
    view.words = static_cast<std::uint32_t>(rarity.size());
    for (std::uint32_t s = 0; s < TokensView::kSets; ++s) {
        view.pairs[s] = pairs[s].data();
        view.pair_count[s] = static_cast<std::uint32_t>(pairs[s].size());
        view.pairs_asked[s] = pairs_asked[s];
    }
    view.analogies = analogies.data();
    view.analogy_count = static_cast<std::uint32_t>(analogies.size());
    view.analogies_asked = analogies_asked;
    return view;
}

void set_word_tables(TokensArray& array, const std::vector<std::uint64_t>& counts) {
    const double total = static_cast<double>(array.tokens.size());
    std::vector<double> noise;
    for (const std::uint64_t count : counts) {
        const double root = std::sqrt(static_cast<double>(count)); // roots are exact on every machine, powers are not
        array.rarity.push_back(static_cast<float>(std::sqrt(total / static_cast<double>(count))));
        noise.push_back(root * std::sqrt(root));
    }
    const double sum = std::accumulate(noise.begin(), noise.end(), 0.0);
    for (double& probability : noise) probability /= sum;
    array.noise = alias_table(noise);
}

TokensData read_tokens(std::string_view stored, const std::string& name, const TextLimits& limits,
                       std::uint64_t min_count) {
    TextLimits by_words = limits;
    by_words.ends = " \t\n";
    by_words.max_line_bytes = std::min(limits.max_line_bytes, kMostWithoutBlank);
    TokensText text(name, limits.max_array_bytes);
    TokensData data;
    data.text_bytes = read_text(stored, by_words, text);
    const std::vector<std::uint32_t> kept = frequent(text.words(), text.counts(), min_count);
    check(name, text.counts(), kept.size(), min_count);
    auto words = std::make_shared<Vocabulary>();
    std::vector<std::uint32_t> numbers(text.words().size(), kLeftOut);
    std::vector<std::uint64_t> counts;
    for (const std::uint32_t id : kept) {
        numbers[id] = words->add(text.words().word(id));
        counts.push_back(text.counts()[id]);
    }
    for (const TokensBlock& block : text.blocks()) data.long_words += block.long_words;
    data.array = std::make_shared<TokensArray>();
    data.array->tokens = joined(text.blocks(), numbers);
    data.rare =
        std::accumulate(text.counts().begin(), text.counts().end(), std::uint64_t{0}) - data.array->tokens.size();
    set_word_tables(*data.array, counts);
    data.words = std::move(words);
    return data;
}

} // namespace hogwild

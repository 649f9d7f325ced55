// Samples of whatever access pattern: a view of one of those that problems know.
//
// To add a pattern: its view's header and its entry in `Views`. What every view says of itself:
//   kSamples        what its samples are called
//   together(rows)  neighbours that a random order of so many samples keeps together (kernels/views/sample_order.h)
//   kMovable        samples may be stored in another order; false: a sample reaches to its neighbours
//   rows            samples
//   coordinates()   entries of the parameter buffer that they touch
//   groups()        of coordinates that a sample touches together or not at all: what locks and owners are of
//   for_each_range(group, visit)   where groups have more coordinates than one: visits the ranges of one's
//   nonzeros()      increments that one step on each sample would emit
//   bytes()         of what a traversal reads of the samples, about
//   tiles, tile_side(rows)   of samples that are stored in tiles where an order goes by them (kernels/views/sample_order.h)
//   dense()         every sample touches every coordinate
//   most_repeats()  where a sample may increment a coordinate more than once: how often, at most
//   cost(group)     where groups cost a sample more or less than one another: how much
//   why_idle()      where a model may leave nothing to learn: why, or nothing
//   why_unscored(s) where samples may lack what score number s needs: what they lack, or nothing
//   kDrawable       where a model of theirs may be drawn: a class for each group
//   for_each_array  visits the arrays that it borrows
//   widened(view)   in the larger dimensions of the two
//   row(i)          sample i, which visits its groups and its coordinates; of samples that draw numbers, a typical draw
//   drawn(i, seed, epoch)   as the epoch of a run with this seed meets it
//
// Borrows what the view borrows; a value. Thread-safety: that of the view.
#pragma once

#include "kernels/views/edges_view.h"
#include "kernels/views/images_view.h"
#include "kernels/views/ratings_view.h"
#include "kernels/views/sparse_view.h"
#include "kernels/views/tokens_view.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <variant>

namespace hogwild {

using Views = std::variant<SparseView, RatingsView, EdgesView, TokensView, ImagesView>;

class AnyView {
public:
    AnyView() = default;
    template <class View>
    requires requires(View view) { Views(view); }
    AnyView(const View& view) : view_(view) {}

    template <class F>
    decltype(auto) visit(F&& f) const {
        return std::visit(std::forward<F>(f), view_);
    }
    template <class F>
    decltype(auto) visit(F&& f) {
        return std::visit(std::forward<F>(f), view_);
    }

    std::uint64_t rows() const {
        return visit([](const auto& view) { return view.rows; });
    }
    std::uint32_t coordinates() const {
        return visit([](const auto& view) { return view.coordinates(); });
    }
    std::uint32_t groups() const {
        return visit([](const auto& view) { return view.groups(); });
    }
    std::uint64_t nonzeros() const {
        return visit([](const auto& view) { return view.nonzeros(); });
    }
    std::uint64_t bytes() const {
        return visit([](const auto& view) { return view.bytes(); });
    }
    std::uint32_t together() const {
        return visit([]<class View>(const View& view) { return View::together(view.rows); });
    }
    /// The grid of tiles that the samples are stored in, if they are.
    TileGrid tiles() const {
        return visit([](const auto& view) {
            if constexpr (requires { view.tiles; }) return view.tiles;
            return TileGrid{};
        });
    }

    /// The side of the grid of tiles that samples are to be stored in; 0 where the pattern has no tiles.
    std::uint32_t tile_side() const {
        return visit([]<class View>(const View& view) {
            if constexpr (requires { View::tile_side(view.rows); }) return View::tile_side(view.rows);
            return std::uint32_t{0};
        });
    }
    /// How often a sample increments a coordinate, at most.
    std::uint64_t most_repeats() const {
        return visit([](const auto& view) {
            if constexpr (requires { view.most_repeats(); }) return view.most_repeats();
            return std::uint64_t{1};
        });
    }

    /// Why no step would change a weight; empty where some would.
    std::string_view why_idle() const {
        return visit([](const auto& view) {
            if constexpr (requires { view.why_idle(); }) return view.why_idle();
            return std::string_view{};
        });
    }

    /// What score number `score` of their problem lacks; empty where it lacks nothing.
    std::string_view why_unscored(std::size_t score) const {
        return visit([&](const auto& view) {
            if constexpr (requires { view.why_unscored(score); }) return view.why_unscored(score);
            return std::string_view{};
        });
    }

    bool drawable() const {
        return visit([]<class View>(const View&) {
            return requires { View::kDrawable; };
        });
    }

    bool movable() const {
        return visit([]<class View>(const View&) { return View::kMovable; });
    }
    bool dense() const {
        return visit([](const auto& view) { return view.dense(); });
    }

    /// Precondition: it is a View.
    template <class View>
    const View& as() const {
        return *std::get_if<View>(&view_);
    }

    template <class View>
    bool is() const {
        return std::holds_alternative<View>(view_);
    }

private:
    Views view_;
};

} // namespace hogwild

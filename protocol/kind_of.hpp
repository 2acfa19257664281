// kind_of<Game>(): how one game becomes an entry of the catalogue. Included by one source for each
// game, which the build writes (kind_of_game.cpp.in), so that a change to one game compiles one.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/catalog.hpp"
#include "protocol/schema.hpp"
#include "protocol/table_of.hpp"

namespace triquetra {
namespace detail {

template <Game G>
typename G::Options options_of(std::string_view text) {
  return decode<typename G::Options>(text, Reading::partial);
}

template <Game G>
std::string renumbered(std::string_view text, const std::vector<std::optional<std::size_t>>& now) {
  auto options = options_of<G>(text);
  if constexpr (requires { options.first_seat; }) {
    if (options.first_seat) {
      const auto before = static_cast<std::size_t>(int{*options.first_seat});
      const auto after = before < now.size() ? now[before] : std::nullopt;
      options.first_seat.reset();
      if (after) options.first_seat = static_cast<int>(*after);
    }
  }
  return encoded(options);
}

template <Game G>
TablePointer lay(std::string_view options, std::size_t seat_count,
                 Chance<typename G::Deal> chance) {
  return std::make_shared<TableOf<G>>(G::setup(options_of<G>(options), seat_count, chance));
}

}  // namespace detail

template <Game G>
GameKind kind_of() {
  return GameKind{
      .name = G::kName,
      .version = G::kVersion,
      .min_seats = G::kMinSeats,
      .max_seats = G::kMaxSeats,
      .canonical_options =
          [](std::string_view options) { return encoded(detail::options_of<G>(options)); },
      .check =
          [](std::string_view options, std::size_t seat_count) {
            return G::check(detail::options_of<G>(options), seat_count);
          },
      .renumbered = detail::renumbered<G>,
      .lay =
          [](std::string_view options, std::size_t seat_count, const Seed& seed) {
            return detail::lay<G>(options, seat_count, Chance<typename G::Deal>(Rng(seed)));
          },
      .lay_dealt =
          [](std::string_view options, std::size_t seat_count, std::string_view deal) {
            return detail::lay<G>(options, seat_count,
                                  Chance<typename G::Deal>(decode<typename G::Deal>(
                                      deal, Reading::strict, kTrustedJson)));
          },
      .schemas =
          [] {
            Json options = schema_of<typename G::Options>();
            options.erase("required");  // what is missing has a default
            return GameSchemas{
                .options = std::move(options),
                .action = schema_of<typename G::Action>(),
                .event = schema_of<typename G::Event>(),
                .table = schema_of<typename G::TableView>(),
                .mine = schema_of<typename G::SeatView>(),
                .deal = schema_of<typename G::Deal>(),
            };
          },
      .variants =
          [] {
            std::vector<std::string> variants;
            for (const auto& options : G::variants()) variants.push_back(encoded(options));
            return variants;
          },
  };
}

}  // namespace triquetra

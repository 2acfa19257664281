#include "protocol/json.hpp"

#include <set>
#include <vector>

#include "protocol/errors.hpp"

namespace triquetra {
namespace {

/// Checks depth and duplicate keys as the parser goes, and builds the document.
class Builder : public nlohmann::json_sax<Json> {
 public:
  explicit Builder(std::size_t max_depth) : max_depth_(max_depth) {}
  Json take() { return std::move(root_); }

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(std::int64_t value) override { return put(value); }
  bool number_unsigned(std::uint64_t value) override { return put(value); }
  bool number_float(double value, const std::string& /*text*/) override { return put(value); }
  bool string(std::string& value) override { return put(std::move(value)); }
  bool binary(Json::binary_t& /*value*/) override { return false; }
  bool start_object(std::size_t /*size*/) override { return open(Json::object()); }
  bool start_array(std::size_t /*size*/) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(std::string& value) override {
    if (stack_.back()->contains(value)) {
      throw Malformed(ErrorCode::duplicate_key, about_field(value));
    }
    key_ = std::move(value);
    return true;
  }
  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& error) override {
    // The library's own number for "number overflow" (json.exception.out_of_range.406).
    const bool overflow = error.id == 406;
    throw Malformed(overflow ? ErrorCode::out_of_range : ErrorCode::not_json, {});
  }

 private:
  Json* put(Json value, bool) {
    if (stack_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    Json& parent = *stack_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    return &(parent[key_] = std::move(value));
  }
  template <class T>
  bool put(T&& value) {
    put(Json(std::forward<T>(value)), true);
    return true;
  }
  bool open(Json container) {
    if (stack_.size() >= max_depth_) {
      throw Malformed(ErrorCode::too_deep, about_limit(static_cast<std::int64_t>(max_depth_)));
    }
    stack_.push_back(put(std::move(container), true));
    return true;
  }
  bool close() {
    stack_.pop_back();
    return true;
  }

  std::size_t max_depth_;
  Json root_;
  // Pointers stay valid: a container grows only while it is the innermost one.
  std::vector<Json*> stack_;
  std::string key_;
};

}  // namespace

Json parse_json(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.bytes) {
    throw Malformed(ErrorCode::too_large, about_limit(static_cast<std::int64_t>(limits.bytes)));
  }
  Builder builder(limits.depth);
  if (!Json::sax_parse(text.begin(), text.end(), &builder))
    throw Malformed(ErrorCode::not_json, {});
  return builder.take();
}

}  // namespace triquetra

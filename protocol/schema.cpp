#include "protocol/schema.hpp"

namespace triquetra {

Json opened(Json schema) {
  if (schema.is_object()) schema.erase("additionalProperties");
  for (auto& part : schema) {
    if (part.is_structured()) part = opened(std::move(part));
  }
  return schema;
}

}  // namespace triquetra

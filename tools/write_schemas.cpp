// write_schemas DIR: writes the contract of the wire as files, from the types that hold it: a JSON
// Schema for each frame and for each game, and an AsyncAPI document. protocol/schema/ is what it
// wrote last; a test fails when that is stale.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>

#include "protocol/catalog.hpp"
#include "protocol/client_frames.hpp"
#include "protocol/schema.hpp"
#include "protocol/server_frames.hpp"

namespace triquetra {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDialect = "https://json-schema.org/draft/2020-12/schema";

void write(const fs::path& path, const Json& json) {
  fs::create_directories(path.parent_path());
  std::ofstream file(path);
  file << json.dump(2) << "\n";
  file.close();  // a full disk may show only now
  if (!file) throw std::runtime_error("cannot write " + path.string());
}

Json titled(Json schema, const std::string& id) {
  schema["$schema"] = kDialect;
  schema["$id"] = id + ".json";
  return schema;
}

/// One file for each alternative; returns the same as AsyncAPI messages by name.
template <class Variant>
Json write_frames(const fs::path& folder, const std::string& side, bool closed) {
  Json messages = Json::object();
  boost::mp11::mp_for_each<boost::mp11::mp_iota_c<std::variant_size_v<Variant>>>([&](auto index) {
    using Frame = std::variant_alternative_t<index, Variant>;
    const std::string word(Frame::kTag.word);
    const Json schema = schema_of<Frame>();
    write(folder / side / (word + ".json"), titled(schema, side + "/" + word));
    messages[side + "_" + word] = {{"name", word},
                                   {"contentType", "application/json"},
                                   {"payload", closed ? schema : opened(schema)}};
  });
  return messages;
}

Json operation(const char* action, const char* summary, const Json& messages) {
  Json references = Json::array();
  for (const auto& message : messages.items()) {
    references.push_back({{"$ref", "#/channels/table/messages/" + message.key()}});
  }
  return {{"action", action},
          {"summary", summary},
          {"channel", {{"$ref", "#/channels/table"}}},
          {"messages", references}};
}

void write_all(const fs::path& folder) {
  // Closed for what the server takes; open for what clients read, who pass over what they do not
  // know.
  const Json said = write_frames<ClientFrame>(folder, "client", true);
  const Json heard = write_frames<ServerFrame>(folder, "server", false);
  for (const GameKind& game : catalog()) {
    const GameSchemas schemas = game.schemas();
    const Json parts{{"options", schemas.options}, {"action", schemas.action},
                     {"event", schemas.event},     {"table", schemas.table},
                     {"mine", schemas.mine},       {"deal", schemas.deal}};
    const std::string name(game.name);
    write(folder / "games" / (name + ".json"), titled({{"$defs", parts}}, "games/" + name));
  }
  Json messages = said;
  messages.update(heard);
  const Json document{
      {"asyncapi", "3.0.0"},
      {"info",
       {{"title", "Triquetra"},
        {"version", std::to_string(kProtocolVersion)},
        {"description",
         "One WebSocket, text frames, one JSON object each. See docs/PROTOCOL.md."}}},
      {"channels", {{"table", {{"address", "/ws"}, {"messages", messages}}}}},
      {"operations",
       {{"hear", operation("receive", "What a client may say", said)},
        {"say", operation("send", "What a client may hear", heard)}}}};
  write(folder / "asyncapi.json", document);
}

}  // namespace
}  // namespace triquetra

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: write_schemas DIR\n";
    return 2;
  }
  try {
    triquetra::write_all(argv[1]);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
  return 0;
}

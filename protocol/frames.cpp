// The codec of every frame, and of a record: instantiated here, once for the whole house.
#include "protocol/client_frames.hpp"
#include "protocol/decode.hpp"
#include "protocol/encode.hpp"
#include "protocol/match_record.hpp"
#include "protocol/server_frames.hpp"

namespace triquetra {

template std::string encoded(const Hello&);
template std::string encoded(const Create&);
template std::string encoded(const Join&);
template std::string encoded(const Watch&);
template std::string encoded(const Leave&);
template std::string encoded(const Start&);
template std::string encoded(const RevealEntropy&);
template std::string encoded(const AddBot&);
template std::string encoded(const SetLevel&);
template std::string encoded(const AskHint&);
template std::string encoded(const GetReview&);
template std::string encoded(const RemoveBot&);
template std::string encoded(const Kick&);
template std::string encoded(const Readmit&);
template std::string encoded(const Door&);
template std::string encoded(const SetOptions&);
template std::string encoded(const Rematch&);
template std::string encoded(const Cover&);
template std::string encoded(const Device&);
template std::string encoded(const Act&);
template std::string encoded(const React&);
template std::string encoded(const Say&);
template std::string encoded(const WatchLobby&);
template std::string encoded(const History&);
template std::string encoded(const GetRecord&);
template std::string encoded(const Replay&);
template std::string encoded(const Ping&);
template std::string encoded(const ClientFrame&);
template ClientFrame decode(const JsonValue&, Reading);

template std::string encoded(const Welcome&);
template std::string encoded(const Ok&);
template std::string encoded(const Error&);
template std::string encoded(const Pong&);
template std::string encoded(const RoomFrame&);
template std::string encoded(const View&);
template std::string encoded(const LobbyFrame&);
template std::string encoded(const ReactionShown&);
template std::string encoded(const Said&);
template std::string encoded(const Bye&);
template std::string encoded(const News&);
template std::string encoded(const Notice&);
template std::string encoded(const ViewHead&);
template void encode_members(std::string&, const ViewTail&, bool&);
template std::string encoded(const std::vector<LegalAct>&);
template std::string encoded(const ListedRoom&);
template ServerFrame decode(const JsonValue&, Reading);

template std::string encoded(const MatchRecord&);
template std::string encoded(const RecordedSeat&);
template std::string encoded(const CalledOff&);
template MatchRecord decode(const JsonValue&, Reading);

}  // namespace triquetra

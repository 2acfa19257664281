// Every bound of the server in one place, each with its reason and what happens when it is reached.
//
// Folder: what every floor of the server uses and none owns: limits, time, chance and names.
// May see: protocol, engine.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace triquetra::limits {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

// Frames from clients. The largest we expect (create with options) is far below 1 KiB. Over it:
// too_large.
inline constexpr std::size_t kFrameBytes = 16 * 1024;
// What an error or a warning says of a client's own words, such as the name of an unknown field.
// Over it: cut.
inline constexpr std::size_t kQuotedBytes = 80;
// A peer that sends more than this in one message is not a client of ours. Over it: close 1009.
inline constexpr std::size_t kMessageBytes = 64 * 1024;
// A person taps a few times a second, a bot answers each view. Over it: too_fast.
inline constexpr int kFramesPerSecond = 40;
inline constexpr int kFrameBurst = 120;
// Whoever is refused for that waits a second before the next try; a flood does not, however slowly
// it comes in. Over it: bye too_fast.
inline constexpr int kRefusedPerSecond = 4;
inline constexpr int kRefusedBurst = 120;
// Replies and notices that wait for a slow reader; of views and people of a room only the newest is
// kept. Small ones are many before somebody who does read may be called slow. Over it: bye slow.
inline constexpr std::size_t kOutboxFrames = 512;
inline constexpr std::size_t kOutboxBytes = 512 * 1024;
// Messages that wait for one room while a record is being made durable. Over it: busy.
inline constexpr std::size_t kMailboxMessages = 256;
// Connections watching or playing in one room: a school class with a beamer and some. Over it:
// room_full.
inline constexpr std::size_t kRoomMembers = 100;
// Reactions and words of a whole room, each of which goes to everybody there: faster than anybody
// reads. Over it: too_fast.
inline constexpr int kTalkBurst = 40;
inline constexpr int kTalkPerSecond = 8;
// Newcomers of a room, each of whom everybody there hears of: a class that comes at once, and comes
// again when its line was cut. Players who have a seat are none. Over it: too_fast.
inline constexpr int kVisitBurst = 200;
inline constexpr int kVisitsPerSecond = 20;
// Rooms of one server that are awake, with which its memory grows. Over it: too_many_rooms, and
// busy for whoever would wake one.
inline constexpr std::size_t kRooms = 10'000;
// Those and the ones that sleep, which take room on the disk alone: some 50 KB for a long match.
// Over it: too_many_rooms.
inline constexpr std::size_t kKeptRooms = 200'000;
// Rooms whose logs are being read for somebody, of one thread: seconds of a slow disk. Over it:
// busy.
inline constexpr std::size_t kWakings = 1000;
// A room that nobody is in, that waits for nothing sooner than this, and that was left so long ago
// sleeps: most who lose their line are back by then, and find it awake.
inline constexpr minutes kRestTime{2};
// The store is asked at least so often whose alarm is due: its clock may be put right meanwhile.
inline constexpr minutes kLongestRing{60};
// Rooms that one connection may be in. Over it: too_many_rooms.
inline constexpr std::size_t kRoomsPerConnection = 16;
// Rooms that one address, and one player, keep alive: those that gather or play, for finished ones
// go within kIdleRoomTime and cost a game each. Several school classes; an evening of one host.
// Over it: too_many_rooms.
inline constexpr std::size_t kRoomsPerAddress = 100;
inline constexpr std::size_t kRoomsPerPlayer = 20;
// Listed rooms that a lobby frame shows: the newest.
inline constexpr std::size_t kLobbyRooms = 100;
// Wrong room codes, passwords and device codes from one address, and, counted apart, wrong tokens:
// a class may mistype, a guesser may not go on. Of wrong admin tokens likewise. Over it: too_fast,
// 429.
inline constexpr int kWrongGuessBurst = 40;
inline constexpr int kWrongGuessesPerMinute = 20;
// New rooms from one address. Over it: too_fast.
inline constexpr int kNewRoomBurst = 100;
inline constexpr int kNewRoomsPerMinute = 20;
// Connections from one address at once, and new ones: a school behind one address, each pupil with
// some tabs. Over it: closed, or 429 where a proxy stands between.
inline constexpr std::size_t kConnectionsPerAddress = 500;
inline constexpr int kArrivalBurst = 1000;
inline constexpr int kArrivalsPerSecond = 50;
// Addresses that something is known about; forgotten when they owe nothing. Over it: newcomers are
// refused.
inline constexpr std::size_t kAddresses = 100'000;
inline constexpr minutes kForgetTime{1};
// 20^6 codes: guessing one of 10,000 rooms takes thousands of tries, and those are limited.
inline constexpr std::size_t kRoomCodeLetters = 6;
// One use and ten minutes: enough to type it on the other device.
inline constexpr std::size_t kDeviceCodeLetters = 8;
inline constexpr minutes kDeviceCodeTime{10};
// Codes that wait for their devices, of a server that keeps them in memory: 20 MB at most. Over it:
// storage_unavailable.
inline constexpr std::size_t kDeviceCodes = 100'000;
// Changes of the list of rooms are gathered this long.
inline constexpr milliseconds kLobbyPause{250};
// After the list was told it rests, whatever strangers do: a second, and longer the more was sent.
inline constexpr milliseconds kLobbyRest{1000};
inline constexpr milliseconds kLobbyLongestRest{10'000};
inline constexpr std::size_t kLobbyBytesPerSecond = 1024 * 1024;
// What one connection is answered: the list of rooms, arrivals, histories, records and replays. A
// long match with its replay has 2 MB; an evening's needs nothing like it. Over it: too_fast.
inline constexpr double kAnswerBurst = 8.0 * 1024 * 1024;
inline constexpr double kAnswerBytesPerSecond = 128.0 * 1024;
// The same of all connections of one address, and of what it asks for by HTTP: a school that comes
// back at once needs 5 MB. Over it: too_fast, 429.
inline constexpr double kAddressAnswerBurst = 32.0 * 1024 * 1024;
inline constexpr double kAddressAnswerBytesPerSecond = 1024.0 * 1024;
// Files of the browser client for one address: some hundred first visits at once. Over it: 429.
inline constexpr double kAddressFileBurst = 512.0 * 1024 * 1024;
inline constexpr double kAddressFileBytesPerSecond = 8.0 * 1024 * 1024;
// A connection tells its address's account of so many bytes together.
inline constexpr std::size_t kAccountBytes = 32 * 1024;
// A request without a body has this much header at most, and this long to arrive.
inline constexpr std::size_t kHeaderBytes = 8 * 1024;
inline constexpr seconds kHandshakeTime{10};
// A file of the browser client has this long to reach a slow phone.
inline constexpr seconds kFileTime{60};
// What a folder of --web-root may hold: all of it is kept in memory. Over it: the
// server does not start.
inline constexpr std::size_t kWebBytes = 16 * 1024 * 1024;
// A peer that is silent this long, pings included, is gone.
inline constexpr seconds kIdleTime{60};
// What the system may hold for one peer on its way out: a slow reader costs this and its outbox.
inline constexpr int kSendBufferBytes = 128 * 1024;
// A message that has begun must end within this. Over it: cut off.
inline constexpr seconds kMessageTime{10};
// A frame must leave for a peer within this: a slow phone needs some. Over it: cut off.
inline constexpr seconds kWriteTime{30};
// A last word has this long to be read. Then: cut off.
inline constexpr seconds kFarewellTime{5};
// How often connections are looked at for these, and a store that has refused something is tried.
inline constexpr seconds kSweepTime{1};
// Bytes that a peer may send in a second, whatever they are: pings, empty fragments, frames of
// rubbish. Over it: they wait in the network, where they cost the sender.
inline constexpr std::size_t kReadBytesPerSecond = 256 * 1024;
// Who comes and goes within this is told to the others together, after the first: nobody reads
// faster.
inline constexpr milliseconds kRosterPause{100};
// What is read from a peer in one call of the system; over TLS less, for there each connection has
// a buffer of its own. And of what waits, so much is written together, or one frame if that is
// larger: what still waits may be replaced by what is newer. More follows with the next call.
inline constexpr std::size_t kReadAtOnceBytes = 64 * 1024;
inline constexpr std::size_t kTlsReadBytes = 4 * 1024;
inline constexpr std::size_t kWriteAtOnceBytes = 16 * 1024;
// Answers to pings that wait to be written. Over it: only the newest is answered.
inline constexpr std::size_t kControlBytes = 1024;
// What an operator may say to everybody at once: a few lines on a phone. Over it: not said.
inline constexpr std::size_t kNoticeBytes = 1000;
// Open connections of one server; two descriptors are spare for what else is open. Over it: not
// accepted.
inline constexpr std::size_t kConnections = 20'000;
// Operators' connections at once: a scraper or two and some commands, each of them short. Over it:
// closed, so that they never take the descriptors of players.
inline constexpr std::size_t kOperators = 64;
// Without a descriptor for the next connection, the doors look again after this.
inline constexpr milliseconds kAcceptPause{100};
// A file that an option names, such as a certificate with its chain, has some KiB. Over it: the
// server does not start, or goes on with what it has.
inline constexpr std::size_t kOptionFileBytes = 1024 * 1024;
// A slow reader may come back for the newest view at once, or nearly.
inline constexpr int kSlowRetryMs = 1000;
// Between warnings of one kind that strangers can cause: a log is read by people, and costs a disk.
inline constexpr minutes kWarningTime{1};
// How long a farewell may take.
inline constexpr seconds kDrainTime{3};
// What is cut off then needs a moment to be cleared away.
inline constexpr seconds kCutOffTime{2};
// A history page: its happened lists stay well below an outbox.
inline constexpr std::size_t kHistoryPage = 50;
// A page of a replay: so many views, or fewer if they are large (the largest have some KiB): well
// below an outbox, and a matter of milliseconds for a room.
inline constexpr std::size_t kReplayPage = 20;
inline constexpr std::size_t kReplayBytes = 64 * 1024;
// Every so many acts a match keeps its table, so that a page of its replay need not begin at the
// deal.
inline constexpr std::size_t kReplayStride = 64;
// Acts of one match: the longest game of ours has a few hundred. Over it: the room closes.
inline constexpr std::size_t kMatchRevisions = 20'000;
// Finished matches of a room whose records can be asked for: an evening's last games.
// Over it: the oldest is no_such_match.
inline constexpr std::size_t kRecordsPerRoom = 4;
// A finished match that somebody has asked for is read from the store once for all its pages. Over
// it: read again.
inline constexpr seconds kMatchAtHand{10};
// Who waits for that: everybody in the room, each with a page. Over it: busy.
inline constexpr std::size_t kMatchReaders = 100;
// How long seats that sent an entropy hash have to open it before it counts as empty.
inline constexpr seconds kRevealTime{5};
// Starts of one match that were called off since somebody did not open theirs: whoever does so on
// purpose is to be sent away. Over it: start is not_allowed, and another room begins anew.
inline constexpr std::size_t kCalledOffStarts = 16;
// Times that a host opens or closes a door: each is a record, also in play, and this many are less
// than a MiB a day. Over it: too_fast.
inline constexpr int kDoorBurst = 20;
inline constexpr int kDoorsPerMinute = 2;
// Guests whom a host has sent away and a room remembers. Over it: the first is forgotten.
inline constexpr std::size_t kSentAway = 100;
// A person who lets this pass when asked, in a room without a clock, may be covered.
inline constexpr minutes kStallTime{5};
// A host or a player who is gone this long may be followed or covered.
inline constexpr seconds kAwayTime{60};
// An empty open room, and one whose match is over, go after this.
inline constexpr minutes kIdleRoomTime{30};
// A game in play may rest for some days; one that nobody has visited for so long is closed.
inline constexpr std::chrono::hours kAbandonedRoomTime{24 * 7};
// One that all its players have left by their own word is closed sooner; coming back the same
// evening is possible.
inline constexpr std::chrono::hours kLeftRoomTime{6};
// Records of people who come and go before a match begins. Over it: what led nowhere is forgotten,
// and the log has only what came of it.
inline constexpr std::size_t kGatheringRecords = 200;
// A player whom no room names, and who was not seen for so long, is forgotten: twice the time of an
// abandoned room, and a token opens nothing but seats. Who comes back is a new guest.
inline constexpr std::chrono::hours kForgetPlayerTime = 2 * kAbandonedRoomTime;
// A player who is seen is marked so once in this time, for each mark is a write.
inline constexpr std::chrono::hours kSeenTime{24};
// So many players are looked at after each pause: a millisecond's work, so that nobody waits for
// it; and a day goes through more players than one machine serves.
inline constexpr std::size_t kForgetPlayers = 500;
inline constexpr seconds kForgetPause{10};
// Appends that wait for one writer thread: a full second of a busy disk. Over it: refused, and the
// players hear storage_unavailable.
inline constexpr std::size_t kStoreQueue = 10'000;
// Appends of one transaction: larger ones are not faster, and all of them wait for it.
inline constexpr std::size_t kStoreBatch = 1024;
// Pages of a write-ahead log that are worth a sync of the file itself (16 MiB); and where commits
// wait, because it grows faster than the disk takes it up.
inline constexpr int kCheckpointPages = 4096;
inline constexpr int kCheckpointPagesMost = 8 * kCheckpointPages;
// An answer of a database that takes longer is none: a commit takes milliseconds, a standby that is
// taken for a dead primary some seconds. Over it: the connection is closed, and whether something
// was kept is read from the log.
inline constexpr milliseconds kPostgresAnswerTime{5000};
// While a store is moved nobody waits, and the commit has all of it on its way to a standby. Over
// it: the move has failed, and can be begun anew.
inline constexpr std::chrono::minutes kMoveAnswerTime{30};
// A database that starts beside the server has this long to be there. Over it: the server ends.
inline constexpr seconds kPostgresStartTime{60};
// A database that was lost is tried again after a pause by chance between half of this and this,
// doubled each time up to the longest: many servers do not come back at once.
inline constexpr milliseconds kPostgresPause{200};
inline constexpr milliseconds kPostgresLongestPause{2000};
// Servers on one database: a lease lasts this long by the database's clock and is renewed three
// times meanwhile; it is the pause when a server dies. Shorter: a slow disk would cost leases. In
// its last third a server shows nothing: so much may clocks, or the clocks of a database and its
// standby, differ.
inline constexpr milliseconds kLeaseTime{3000};
// A link says something at least so often, and is dead when it has been silent as long as a lease.
inline constexpr milliseconds kLinkBeat{500};
inline constexpr milliseconds kLinkSilence = kLeaseTime;
// A server that comes by link, and a link that is made, have this long to show the secret.
inline constexpr milliseconds kLinkHandshakeTime{3000};
// Who are at the door of links and have not shown it yet. Over it: the one that has stood there
// longest goes, so that nobody keeps the door by standing in it.
inline constexpr std::size_t kLinkStrangers = 64;
// One message of a link: a record with its replay has a few hundred KiB, and an outbox takes no
// more. Over it: the link is cut.
inline constexpr std::size_t kLinkMessageBytes = 4 * 1024 * 1024;
// What waits to be written to a link. Over it: the other server is too slow, and the link is cut.
inline constexpr std::size_t kLinkQueueBytes = 32 * 1024 * 1024;
// Frames that wait for an answer of another server, and those for a room whose owner is not known
// or not reached yet. Over it: busy. The longer ones wait for a lease to end, and for a log.
inline constexpr std::size_t kLinkRequests = 10'000;
inline constexpr std::size_t kLinkWaiting = 2'000;
inline constexpr milliseconds kLinkPatience = 2 * kLeaseTime;
inline constexpr milliseconds kLinkRetry{100};
// So often each of several servers looks whether all rooms in use that are its own are awake.
inline constexpr minutes kLookForRooms{1};
// Rooms that one server names to another at once, for an operator: some hundred KiB.
inline constexpr std::size_t kReportRooms = 1'000;
// Who was in a room that has another owner now may come back at once.
inline constexpr std::int64_t kMovedRetryMs = 200;
// At a planned end, the last appends of all rooms have this long.
inline constexpr milliseconds kHandOverTime{2000};
// How often a store that has failed is tried again.
inline constexpr milliseconds kStoreRetry{250};
// Logs that are read at the same time at the start, and because their clocks have rung.
inline constexpr std::size_t kLoadsAtOnce = 8;
// Rooms that one question to the store finds: far more than a player may keep alive, and a matter
// of milliseconds. Over it: those made last.
inline constexpr std::size_t kFoundRooms = 500;
// A bot's pause before it acts: people should see what happened. Depends on nothing hidden.
inline constexpr milliseconds kBotDelay{600};
// The same beside a window that people may use is the window's length: who has it has all of it. Of
// windows that are longer than any that the page offers, so much.
inline constexpr milliseconds kBotWindowDelay{10'000};
// A bot that looks ahead thinks during that pause. If it needs longer since the server is busy,
// nobody waits much more than for a person. Over it: it acts without what it thinks. Any thought,
// also for a hint, ends after so long with what it has.
inline constexpr milliseconds kThoughtTime{2000};
// For so many threads of rooms there is one that thinks, and one at least: it gives way to them,
// and half of a machine thinks well for hundreds of bots.
inline constexpr std::size_t kRoomThreadsPerThinker = 2;
// Thoughts that wait for a thread. Each one that waits takes from the playouts of those before it,
// so that all of them have come to an end in some seconds, however many there are. Over it: the bot
// acts without looking ahead.
inline constexpr std::size_t kThoughtsWaiting = 1000;
// Hints of one seat: a beginner asks at every act, and a program could ask on and on. Over it:
// too_fast.
inline constexpr int kHintBurst = 10;
inline constexpr int kHintsPerMinute = 10;
// A look at a finished match: so many acts of people at most, each with so many playouts, come out
// within a minute of one thread that has the time, and each of them within the time below of one
// that has not; and so many of them are marked. What comes after is not looked at.
inline constexpr std::size_t kReviewActs = 300;
inline constexpr std::uint32_t kReviewPlayouts = 200;
inline constexpr milliseconds kReviewedActTime{1000};
inline constexpr std::size_t kReviewedActs = 10;
// Acts that a hint weighs before one's eyes, the best first: more are not read.
inline constexpr std::size_t kHintActs = 3;

}  // namespace triquetra::limits

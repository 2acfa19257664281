// Written by tools/gen.mjs from protocol/schema. Do not edit.

export interface ByeFrame {
  code: "restarting" | "slow" | "too_fast" | "idle" | "kicked" | "left" | "closed";
  retry_ms?: number;
  room?: string;
  type: "bye";
  why?: "idle" | "failed" | "admin";
}

export interface ErrorFrame {
  args: {
    field?: string;
    limit?: number;
    retry_ms?: number;
    rule?: string;
  };
  code:
    | "not_json"
    | "too_large"
    | "too_deep"
    | "duplicate_key"
    | "binary_frame"
    | "unknown_type"
    | "unknown_field"
    | "missing_field"
    | "wrong_type"
    | "out_of_range"
    | "bad_text"
    | "hello_first"
    | "hello_twice"
    | "unsupported_protocol"
    | "bad_token"
    | "bad_device"
    | "too_fast"
    | "busy"
    | "restarting"
    | "storage_unavailable"
    | "too_many_rooms"
    | "no_such_game"
    | "bad_options"
    | "no_such_room"
    | "wrong_password"
    | "room_full"
    | "seat_taken"
    | "no_such_seat"
    | "already_seated"
    | "not_seated"
    | "not_in_room"
    | "no_watching"
    | "door_closed"
    | "not_host"
    | "already_started"
    | "not_started"
    | "too_few_players"
    | "not_over"
    | "not_allowed"
    | "not_away"
    | "chat_off"
    | "entropy_not_asked"
    | "entropy_mismatch"
    | "no_such_match"
    | "record_not_ready"
    | "needs_version"
    | "room_closed"
    | "illegal"
    | "not_your_turn"
    | "too_late"
    | "id_reused"
    | "internal_error";
  re?: string;
  type: "error";
}

export interface LobbyFrame {
  rooms: {
    game: string;
    locked: boolean;
    options: unknown;
    room: string;
    seats: number;
    spectators: boolean;
    status: "open" | "starting" | "playing" | "over" | "closed";
    taken: number;
  }[];
  type: "lobby";
}

export interface NewsFrame {
  name?: string;
  room: string;
  seat?: number;
  type: "news";
  what:
    | "sent_away"
    | "voted_away"
    | "readmitted"
    | "host"
    | "door_closed"
    | "door_open"
    | "watching_closed"
    | "watching_open"
    | "forgiven"
    | "start_called_off"
    | "options"
    | "hinted";
}

export interface NoticeFrame {
  text: string;
  type: "notice";
}

export interface OkFrame {
  device?: string;
  hint?: {
    action?: unknown;
    acts: {
      action?: unknown;
      points?: number;
      wins: number;
    }[];
    decision: number;
    rev: number;
  };
  more?: boolean;
  pages?: {
    happened: unknown;
    rev: number;
  }[];
  re: string;
  record?: unknown;
  rev?: number;
  review?: {
    acts: {
      action: unknown;
      better: unknown;
      points?: number;
      rev: number;
      seat: number;
      wins: number;
    }[];
    looked_at: number;
    steps: number;
  };
  room?: string;
  seat?: number;
  steps?: {
    by?: "player" | "bot" | "clock";
    decisions: {
      id: number;
      kind: "turn" | "ballot" | "window";
      seats: number[];
    }[];
    happened: unknown;
    rev: number;
    seats: unknown[];
    table: unknown;
  }[];
  type: "ok";
}

export interface PongFrame {
  re: string;
  type: "pong";
}

export interface ReactionFrame {
  reaction: "hello" | "clap" | "laugh" | "wow" | "think" | "sad" | "hurry" | "thanks";
  room: string;
  seat: number;
  type: "reaction";
}

export interface RoomFrame {
  binding?: string;
  called_off?: number;
  chat: "off" | "reactions" | "text";
  clock?: number;
  commitment: string;
  door_closed?: boolean;
  game: string;
  hints: boolean;
  host?: number;
  locked: boolean;
  match: string;
  options: unknown;
  reveal?: number[];
  room: string;
  seats: {
    covered?: boolean;
    entropy?: boolean;
    kind: "empty" | "human" | "bot";
    level?: "random" | "greedy" | "easy" | "normal" | "hard" | "expert";
    name?: string;
    presence?: "here" | "away";
    seat: number;
    sent_away?: boolean;
  }[];
  spectators: boolean;
  status: "open" | "starting" | "playing" | "over" | "closed";
  type: "room";
  visibility: "listed" | "unlisted";
  watching: number;
}

export interface SaidFrame {
  room: string;
  seat: number;
  text: string;
  type: "said";
}

export interface ViewFrame {
  answer?: unknown;
  decisions: {
    id: number;
    kind: "turn" | "ballot" | "window";
    seats: number[];
  }[];
  happened: unknown;
  left_ms?: {
    decision: number;
    ms: number;
  }[];
  legal?: {
    action: unknown;
    preview?: number;
    worth?: number;
  }[];
  match: string;
  mine?: unknown;
  rev: number;
  room: string;
  seat?: number;
  table: unknown;
  type: "view";
}

export interface WelcomeFrame {
  limits: {
    depth: number;
    frame_bytes: number;
    frames_per_second: number;
    name_length: number;
  };
  player: string;
  protocol: number;
  re: string;
  seats: {
    room: string;
    seat: number;
  }[];
  server: {
    name: string;
    version: string;
  };
  token?: string;
  type: "welcome";
}

export type ServerFrame = ByeFrame | ErrorFrame | LobbyFrame | NewsFrame | NoticeFrame | OkFrame | PongFrame | ReactionFrame | RoomFrame | SaidFrame | ViewFrame | WelcomeFrame;

export interface ActRequest {
  action: unknown;
  decision: number;
  id: string;
  match?: string;
  room: string;
  type: "act";
}

export interface AddBotRequest {
  id: string;
  level?: "random" | "greedy" | "easy" | "normal" | "hard" | "expert";
  room: string;
  seat?: number;
  type: "add_bot";
}

export interface CoverRequest {
  id: string;
  room: string;
  seat: number;
  type: "cover";
}

export interface CreateRequest {
  chat?: "off" | "reactions" | "text";
  clock?: number;
  entropy_hash?: string;
  game: string;
  hints?: boolean;
  id: string;
  options?: unknown;
  password?: string;
  seats?: number;
  spectators?: boolean;
  type: "create";
  visibility?: "listed" | "unlisted";
}

export interface DeviceRequest {
  id: string;
  type: "device";
}

export interface DoorRequest {
  forgive?: boolean;
  id: string;
  open?: boolean;
  room: string;
  spectators?: boolean;
  type: "door";
}

export interface HelloRequest {
  bot?: boolean;
  device?: string;
  id: string;
  locale?: string;
  name?: string;
  protocol: number;
  token?: string;
  type: "hello";
}

export interface HintRequest {
  id: string;
  room: string;
  type: "hint";
}

export interface HistoryRequest {
  after: number;
  id: string;
  match: string;
  room: string;
  type: "history";
}

export interface JoinRequest {
  entropy_hash?: string;
  id: string;
  password?: string;
  room: string;
  seat?: number;
  type: "join";
}

export interface KickRequest {
  address?: boolean;
  id: string;
  room: string;
  seat: number;
  type: "kick";
}

export interface LeaveRequest {
  id: string;
  room: string;
  type: "leave";
}

export interface LobbyRequest {
  id: string;
  type: "lobby";
  watch: boolean;
}

export interface OptionsRequest {
  id: string;
  options: unknown;
  room: string;
  seats?: number;
  type: "options";
}

export interface PingRequest {
  id: string;
  type: "ping";
}

export interface ReactRequest {
  id: string;
  reaction: "hello" | "clap" | "laugh" | "wow" | "think" | "sad" | "hurry" | "thanks";
  room: string;
  type: "react";
}

export interface ReadmitRequest {
  id: string;
  room: string;
  seat: number;
  type: "readmit";
}

export interface RecordRequest {
  id: string;
  match: string;
  room: string;
  type: "record";
}

export interface RematchRequest {
  entropy_hash?: string;
  id: string;
  room: string;
  type: "rematch";
}

export interface RemoveBotRequest {
  id: string;
  room: string;
  seat: number;
  type: "remove_bot";
}

export interface ReplayRequest {
  from: number;
  id: string;
  match: string;
  room: string;
  type: "replay";
}

export interface RevealEntropyRequest {
  entropy: string;
  id: string;
  room: string;
  type: "reveal_entropy";
}

export interface ReviewRequest {
  id: string;
  match: string;
  room: string;
  type: "review";
}

export interface SayRequest {
  id: string;
  room: string;
  text: string;
  type: "say";
}

export interface SetLevelRequest {
  id: string;
  level: "random" | "greedy" | "easy" | "normal" | "hard" | "expert";
  room: string;
  seat: number;
  type: "set_level";
}

export interface StartRequest {
  id: string;
  room: string;
  type: "start";
}

export interface WatchRequest {
  id: string;
  password?: string;
  room: string;
  type: "watch";
}

export type ClientRequest = ActRequest | AddBotRequest | CoverRequest | CreateRequest | DeviceRequest | DoorRequest | HelloRequest | HintRequest | HistoryRequest | JoinRequest | KickRequest | LeaveRequest | LobbyRequest | OptionsRequest | PingRequest | ReactRequest | ReadmitRequest | RecordRequest | RematchRequest | RemoveBotRequest | ReplayRequest | RevealEntropyRequest | ReviewRequest | SayRequest | SetLevelRequest | StartRequest | WatchRequest;

// All that a room needs: its table, its lobby and its end. The first screens are there before.
import { later } from "./later";
import type { RoomPage as Part } from "./room_page";

export const RoomPage = later<Parameters<typeof Part>[0]>(
  async () => (await import("./room_page")).RoomPage,
);

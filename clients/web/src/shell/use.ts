// Hooks that several screens share.
import { useEffect, useState } from "preact/hooks";
import { client } from "./app_state";

/** Hears of the listed rooms while the screen is shown. */
export function useLobby(): void {
  useEffect(() => {
    const watch = (on: boolean) =>
      void client.connection.request({ type: "lobby", watch: on }).catch(() => {});
    watch(true);
    return () => watch(false);
  }, []);
}

/** The time in ms, new every `every` ms. */
export function useNow(every: number): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), every);
    return () => window.clearInterval(timer);
  }, [every]);
  return now;
}

// The drawings of the shell: lines in a box of 24, in the colour of the text around them.
import type { JSX } from "preact";

const kPaths = {
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6L6 18",
  back: "M15 5l-7 7 7 7",
  sound: "M4 10v4h3l5 4V6L7 10zM15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11",
  mute: "M4 10v4h3l5 4V6L7 10zM16 9.5l5 5M21 9.5l-5 5",
  log: "M5 6h14M5 10h14M5 14h9M5 18h6",
  smile:
    "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 1 0 0-17zM8 13.5c1 2 2.4 3 4 3s3-1 4-3M9 9.500v.5M15 9.500v.5",
  moon: "M19 14.500A8 8 0 0 1 9.5 5a8 8 0 1 0 9.5 9.500z",
  cog: "M12 8.500a3.5 3.5 0 1 0 0 7 3.5 3.5 0 1 0 0-7zM12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.600l2.1 2.100M16.3 16.300l2.1 2.100M5.6 18.400l2.1-2.100M16.3 7.700l2.1-2.1",
  bulb: "M9 17.500c0-2.500-3-4-3-7.800a6 6 0 0 1 12 0c0 3.800-3 5.300-3 7.800zM9.500 20.500h5M12 17v-5l-2-2M12 12l2-2",
  bot: "M5 9.500h14V20H5zM12 9.500V5.500M12 3.500v.01M9 13.500v1.500M15 13.500v1.500M9.500 17.700h5M2.500 13v4M21.500 13v4",
  plus: "M12 5v14M5 12h14",
  share: "M12 15V4M8 7.500L12 4l4 3.500M6 11v8h12v-8",
  copy: "M9 9h10v11H9zM5 15V4h10",
  qr: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2M20 14v3M14 20h3M20 20v.01",
  eye: "M2.5 12C5 7.5 8.5 5.5 12 5.500s7 2 9.5 6.500c-2.5 4.5-6 6.5-9.5 6.500S5 16.5 2.5 12zM12 9.500a2.5 2.5 0 1 0 0 5 2.5 2.5 0 1 0 0-5z",
  book: "M4 5c3-1 6-1 8 1 2-2 5-2 8-1v14c-3-1-6-1-8 1-2-2-5-2-8-1zM12 6v14",
  play: "M8 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14",
  first: "M6 5v14M19 5l-9 7 9 7z",
  last: "M18 5v14M5 5l9 7-9 7z",
  next: "M9 5l7 7-7 7",
  up: "M5 15l7-7 7 7",
  down: "M5 9l7 7 7-7",
  flash: "M13.5 3L6 13.500h5L10 21l8-11h-5.500z",
  check: "M5 12.500l4.5 4.500L19 7.5",
  keyboard: "M3 6.500h18v11H3zM7 10h.01M10.3 10h.01M13.7 10h.01M17 10h.01M8 14h8",
  people:
    "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 1 0 0 7zM2.5 20c.5-4 3-6 6.5-6s6 2 6.5 6M16 4.500a3.3 3.3 0 0 1 0 6.300M18 14.500c2 .8 3.2 2.6 3.5 5.5",
  clock: "M12 3.500a8.5 8.5 0 1 0 0 17 8.5 8.5 0 1 0 0-17zM12 7v5l3.5 2",
  beamer: "M3 4h18v12H3zM12 16v4M8 20h8",
  picture: "M3 5h18v14H3zM3 16l5-5 5 5 3-3 5 5M15.5 9h.01",
  leave: "M10 4H5v16h5M10 12h10M16 8l4 4-4 4",
  home: "M4 11l8-7 8 7M6 9.500V20h12V9.5",
} as const;
export type IconName = keyof typeof kPaths;

export function Icon({ name, size = 24 }: { name: IconName; size?: number }): JSX.Element {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d={kPaths[name]} />
    </svg>
  );
}

/** Three loops that are one line. */
export function Knot({ size = 64 }: { size?: number }): JSX.Element {
  const loop = "M50 58C30 50 24 26 50 8C76 26 70 50 50 58z";
  return (
    <svg class="knot" width={size} height={size} viewBox="0 0 100 100" aria-hidden="true">
      <path d={loop} />
      <path d={loop} transform="rotate(120 50 54)" />
      <path d={loop} transform="rotate(240 50 54)" />
      <circle cx="50" cy="54" r="17" />
    </svg>
  );
}

// What one waves to the others, as pictures: small faces and signs, drawn for a box of 32.
import type { ReactRequest } from "../protocol/wire.gen";

export type Reaction = ReactRequest["reaction"];
export const kReactions: readonly Reaction[] = [
  "hello",
  "clap",
  "laugh",
  "wow",
  "think",
  "sad",
  "hurry",
  "thanks",
];

const kEyes = "M11.500 12.500v1M20.500 12.500v1";
/** Lines in ink: on a face, or on what `shape` fills. */
const kDrawings: Record<Reaction, { shape?: string; lines: string }> = {
  hello: {
    shape:
      "M9 17V10.500a1.7 1.7 0 0 1 3.400 0V8a1.7 1.7 0 0 1 3.400 0V7.500a1.7 1.7 0 0 1 3.400 0V9.500a1.7 1.7 0 0 1 3.400 0V19c0 5-3 8-7 8-4.500 0-6.500-2.500-8-6l-2-4.200a1.700 1.700 0 0 1 3-1.600z",
    lines: "M12.400 10.500V15M15.800 8v7M19.200 9.500V15M26 6.500q2 2 2 5M4 8q1-2.500 3.500-3.500",
  },
  clap: {
    shape:
      "M8 13l7-5.500a1.600 1.600 0 0 1 2 2.500l3.500-2.800a1.600 1.600 0 0 1 2 2.500l1.500-1a1.600 1.600 0 0 1 2 2.500l-2 5.500c-1.500 5-4 8.300-8.500 9.300-4 .8-7-1.500-8.500-5.500z",
    lines: "M11 19.500l5.500-4.500M13 22.500l6-5M9.500 4.500L11 7M15 2.500V5.500M4.500 8.500L7 10",
  },
  laugh: {
    lines: "M9 13q2-3 4.500 0M18.500 13q2.500-3 4.500 0M9.500 18.500h13q-1 6-6.500 6t-6.500-6z",
  },
  wow: { lines: `${kEyes}M9 9q2-1.500 4-.5M19 8.500q2-1 4 .5M16 18a3 3.500 0 1 0 .01 0z` },
  think: {
    lines: `${kEyes}M9 9.500q2-2 4.500-.5M12 21q4-2.500 8-1.500M25 4.500v.01M28.500 2.500v.01`,
  },
  sad: {
    lines: `${kEyes}M11 23q5-5.500 10 0M9.500 9.500l3.500-1.500M22.500 9.500L19 8M10.500 17v2.500`,
  },
  hurry: {
    shape:
      "M9 5h14v3.500q0 4-5.500 7.500 5.500 3.500 5.500 7.500V27H9v-3.500q0-4 5.500-7.500Q9 12.500 9 8.500z",
    lines: "M7 5h18M7 27h18M16 16v6M12.500 25l3.500-3 3.500 3",
  },
  thanks: {
    shape:
      "M16 26.500C8.500 21 4.500 17 4.500 12a5.800 5.800 0 0 1 11.500-1.500A5.800 5.800 0 0 1 27.500 12c0 5-4 9-11.500 14.500z",
    lines: "M9 11.500q.5-2.500 3-3",
  },
};

export function ReactionPicture({ reaction }: { reaction: Reaction }) {
  const { shape, lines } = kDrawings[reaction];
  return (
    <svg class={`reaction ${reaction}`} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      {shape ? <path class="filled" d={shape} /> : <circle class="filled" cx="16" cy="16" r="13" />}
      <path d={lines} />
    </svg>
  );
}

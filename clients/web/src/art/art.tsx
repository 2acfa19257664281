// The drawings that the skins share: the tokens of the animals, their backs, and the markers. All are
// symbols of animals.svg, which is put into the page once, so that a person can draw them anew
// without a change here.
import sprite from "./animals.svg?raw";
import "./art.css";

export const kAnimals = ["rabbit", "owl", "deer", "boar", "ram", "bear", "wolf"] as const;
export type Animal = (typeof kAnimals)[number];
export type Back = "light" | "shadow";

/** The number that is printed on the token. */
export const kValues: Record<Animal, number> = {
  rabbit: 5,
  owl: 6,
  deer: 7,
  boar: 8,
  ram: 9,
  bear: 10,
  wolf: 11,
};

if (document.getElementById("art") === null) {
  const host = document.createElement("div");
  host.id = "art";
  host.setAttribute("aria-hidden", "true");
  host.innerHTML = sprite;
  document.body.prepend(host);
}

function Drawing({ name }: { name: string }) {
  return (
    <svg class="drawing" viewBox="0 0 48 48" aria-hidden="true" focusable="false">
      <use href={`#art-${name}`} />
    </svg>
  );
}

/** A token: its animal, or its back. Whoever draws it says in words what it is. */
export function Token(props: { face: Animal | Back; count?: number; class?: string; at?: string }) {
  const { face, count = 1, at } = props;
  return (
    <span
      class={`token ${face} ${count > 1 ? "many" : ""} ${props.class ?? ""}`}
      data-at={at}
      data-why={face}
      data-lands={at !== undefined && count === 1 ? "" : undefined}
    >
      <span class="disc">
        <Drawing name={face} />
      </span>
      {count > 1 && <b class="count">{count}</b>}
    </span>
  );
}

export function Marker({ name }: { name: "rock" | "tree" }) {
  return (
    <span class={`marker ${name}`} data-why={name}>
      <Drawing name={name} />
    </span>
  );
}

/** A column of a tower from the side: its backs in a pile, the accessible one on top. */
export function Pile({ light, shadow }: { light: number; shadow: number }) {
  const backs: Back[] = [
    ...Array<Back>(shadow).fill("shadow"),
    ...Array<Back>(light).fill("light"),
  ];
  return (
    <span class={`pile high-${backs.length}`}>
      {backs.map((back, i) => (
        <Token key={i} face={back} class={`level-${i}`} />
      ))}
    </span>
  );
}

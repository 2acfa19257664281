// What the others call me. Eight names to tap, so that nobody has to type. The server has the last
// word: what it does not want is said at the field.
import { useState } from "preact/hooks";
import { translation } from "../i18n";
import { kLongestName, playerName, refusedName, setPlayerName } from "./app_state";

/** `taken`: names of others there, as far as they are known: nobody is offered one. */
export function NameForm(props: { taken?: readonly string[]; done?(): void }) {
  const t = translation.value;
  const [name, setName] = useState(refusedName.value || playerName.value);
  const [asking, setAsking] = useState(false);
  const refused = refusedName.value !== "" && refusedName.value === name.trim();
  const take = async (chosen: string) => {
    setName(chosen);
    setAsking(true);
    const accepted = await setPlayerName(chosen);
    setAsking(false);
    if (accepted) props.done?.();
  };
  return (
    <form
      class="card form"
      onSubmit={(event) => {
        event.preventDefault();
        void take(name);
      }}
    >
      <label>
        {t("web.name.question")}
        <input
          value={name}
          maxLength={kLongestName}
          autocomplete="nickname"
          enterkeyhint="go"
          aria-invalid={refused}
          aria-describedby={refused ? "name-refused" : undefined}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      {refused && (
        <p class="refused" id="name-refused" role="alert">
          {t("web.name.refused")}
        </p>
      )}
      <button type="submit" class="big primary" disabled={!name.trim() || asking}>
        {t("web.name.take")}
      </button>
      <p id="name-or">{t("web.name.or")}</p>
      <ul class="names" aria-labelledby="name-or">
        {t("web.name.ideas")
          .split(", ")
          .filter((idea) => !props.taken?.includes(idea))
          .map((idea) => (
            <li key={idea}>
              <button type="button" onClick={() => void take(idea)}>
                {idea}
              </button>
            </li>
          ))}
      </ul>
    </form>
  );
}

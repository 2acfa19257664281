// What the others call me. Eight names to tap, so that nobody has to type.
import { useState } from "preact/hooks";
import { translation } from "../i18n";
import { kLongestName, playerName, setPlayerName } from "./app_state";

export function NameForm(props: { done?(): void }) {
  const t = translation.value;
  const [name, setName] = useState(playerName.value);
  const take = (chosen: string) => {
    setPlayerName(chosen);
    if (playerName.value) props.done?.();
  };
  return (
    <form
      class="card form"
      onSubmit={(event) => {
        event.preventDefault();
        take(name);
      }}
    >
      <label>
        {t("web.name.question")}
        <input
          value={name}
          maxLength={kLongestName}
          autocomplete="nickname"
          enterkeyhint="go"
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="big primary" disabled={!name.trim()}>
        {t("web.name.take")}
      </button>
      <p id="name-or">{t("web.name.or")}</p>
      <ul class="names" aria-labelledby="name-or">
        {t("web.name.ideas")
          .split(", ")
          .map((idea) => (
            <li key={idea}>
              <button type="button" onClick={() => take(idea)}>
                {idea}
              </button>
            </li>
          ))}
      </ul>
    </form>
  );
}

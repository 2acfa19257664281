// Against whom one plays where a game begins by one tap: how many bots, and how strong. Remembered by the
// device, so that whoever is content with it never opens this.
import { translation } from "../i18n";
import { kLevels } from "./making";
import { Choice } from "./parts";
import { botCount, botLevel, kChoices } from "./settings";

export function Opponents() {
  const t = translation.value;
  const [count, level] = [Number(botCount.value), botLevel.value];
  return (
    <details class="more opponents">
      <summary>{t("web.home.opponents", { count, level: t(`web.level.${level}`) })}</summary>
      <Choice
        legend={t("web.home.how_many")}
        name="bot-count"
        value={botCount.value}
        options={[...kChoices.bots].sort().map((value) => ({ value, label: t.number(+value) }))}
        choose={(value) => (botCount.value = value)}
      />
      <Choice
        legend={t("web.create.level")}
        name="bot-level"
        value={level}
        options={kLevels.map((value) => ({ value, label: t(`web.level.${value}`) }))}
        choose={(value) => (botLevel.value = value)}
      />
      <p class="note">{t(`web.level.${level}_text`)}</p>
    </details>
  );
}

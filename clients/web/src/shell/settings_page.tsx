// The settings: all of them at once, each works from the moment it is chosen.
import { useState } from "preact/hooks";
import { kLanguageNames, kLanguages, translation } from "../i18n";
import { client } from "./app_state";
import { canNotify } from "./attention";
import { Refused } from "./connection";
import { NameForm } from "./name_form";
import { Choice, Screen, Switch } from "./parts";
import { go, root } from "./route";
import {
  confirm,
  delay,
  delay_ms,
  hand,
  hue,
  kChoices,
  kids,
  language,
  motion,
  notify,
  remind,
  seesHints,
  setHints,
  setLanguage,
  shortcuts,
  sign,
  sound,
  text,
  theme,
} from "./settings";

export function LanguageChoice() {
  const t = translation.value;
  return (
    <Choice
      legend={t("web.settings.language")}
      name="language"
      value={language.value}
      options={kLanguages.map((value) => ({ value, label: kLanguageNames[value] }))}
      choose={setLanguage}
    />
  );
}

export function SettingsForm() {
  const t = translation.value;
  return (
    <div class="form settings">
      <LanguageChoice />
      <Choice
        legend={t("web.settings.theme")}
        name="theme"
        value={theme.value}
        options={kChoices.theme.map((value) => ({ value, label: t(`web.theme.${value}`) }))}
        choose={(value) => (theme.value = value)}
      />
      <Choice
        legend={t("web.settings.text")}
        name="text"
        value={text.value}
        options={kChoices.text.map((value) => ({ value, label: t(`web.text.${value}`) }))}
        choose={(value) => (text.value = value)}
      />
      <Choice
        legend={t("web.settings.sign")}
        name="sign"
        value={sign.value}
        options={kChoices.sign.map((value) => ({ value, label: t(`web.sign.${value}`) }))}
        choose={(value) => (sign.value = value)}
      />
      <Choice
        legend={t("web.settings.hue")}
        name="hue"
        value={hue.value}
        options={kChoices.hue.map((value) => ({ value, label: t(`web.hue.${value}`) }))}
        choose={(value) => (hue.value = value)}
      />
      <Switch
        label={t("web.settings.kids")}
        text={t("web.settings.kids_text")}
        on={kids.value === "on"}
        set={(on) => (kids.value = on ? "on" : "off")}
      />
      <Switch
        label={t("web.settings.sound")}
        on={sound.value === "on"}
        set={(on) => (sound.value = on ? "on" : "off")}
      />
      <Choice
        legend={t("web.settings.motion")}
        name="motion"
        value={motion.value}
        options={kChoices.motion.map((value) => ({ value, label: t(`web.speed.${value}`) }))}
        choose={(value) => (motion.value = value)}
      />
      <Choice
        legend={t("web.settings.confirm")}
        name="confirm"
        value={confirm.value}
        options={kChoices.confirm.map((value) => ({ value, label: t(`web.confirm.${value}`) }))}
        choose={(value) => (confirm.value = value)}
      />
      <Switch
        label={t("web.settings.delay")}
        text={t("web.settings.delay_text")}
        on={delay_ms.value > 0}
        disabled={kids.value === "on"}
        set={(on) => (delay.value = on ? "on" : "off")}
      />
      <Switch
        label={t("web.settings.hints")}
        text={t("web.settings.hints_text")}
        on={seesHints.value}
        disabled={kids.value === "on"}
        set={setHints}
      />
      <Switch
        label={t("web.settings.left")}
        on={hand.value === "left"}
        set={(on) => (hand.value = on ? "left" : "right")}
      />
      <Switch
        label={t("web.settings.shortcuts")}
        on={shortcuts.value === "on"}
        set={(on) => (shortcuts.value = on ? "on" : "off")}
      />
      <Switch
        label={t("web.settings.notify")}
        text={canNotify() ? undefined : t("web.settings.notify_https")}
        on={notify.value === "on"}
        disabled={!canNotify()}
        set={(on) => void setNotify(on)}
      />
      <Switch
        label={t("web.settings.remind")}
        text={t("web.settings.remind_text")}
        on={remind.value === "on"}
        set={(on) => (remind.value = on ? "on" : "off")}
      />
    </div>
  );
}

async function setNotify(on: boolean): Promise<void> {
  if (on && (await Notification.requestPermission()) !== "granted") return;
  notify.value = on ? "on" : "off";
}

export function SettingsPage() {
  const t = translation.value;
  return (
    <Screen title={t("web.settings.title")}>
      <SettingsForm />
      <section aria-labelledby="name-title">
        <h2 id="name-title">{t("web.name.change")}</h2>
        <NameForm />
      </section>
      <Devices />
    </Screen>
  );
}

/** A one-use code with which another device becomes the same player; and the place to type one. */
function Devices() {
  const t = translation.value;
  const [code, setCode] = useState<string | undefined>(undefined);
  const [typed, setTyped] = useState("");
  const [failed, setFailed] = useState<string | undefined>(undefined);
  const ask = async () => {
    try {
      setCode((await client.connection.request({ type: "device" })).device);
    } catch (error) {
      setFailed(error instanceof Refused ? error.code : "internal_error");
    }
  };
  const refused = client.deviceRefused.value;
  return (
    <section class="card form" aria-labelledby="device-title">
      <h2 id="device-title">{t("web.device.title")}</h2>
      <p>{t("web.device.text")}</p>
      {code ? (
        <p class="invite-code" role="status">
          <span>{t("web.device.code")}</span>
          <b>{code}</b>
        </p>
      ) : (
        <button type="button" onClick={() => void ask()}>
          {t("web.device.ask")}
        </button>
      )}
      <form
        class="say"
        onSubmit={(event) => {
          event.preventDefault();
          void client.become(typed).then(() => go(root.href));
          setTyped("");
        }}
      >
        <label>
          {t("web.device.type")}
          <input
            value={typed}
            maxLength={16}
            autocomplete="off"
            autocapitalize="characters"
            onInput={(event) => setTyped(event.currentTarget.value.toUpperCase().trim())}
          />
        </label>
        <button type="submit" disabled={!typed}>
          {t("web.device.go")}
        </button>
      </form>
      {(refused || failed) && (
        <p class="refused" role="alert">
          {t(`error.${refused ?? failed}`)}
        </p>
      )}
    </section>
  );
}

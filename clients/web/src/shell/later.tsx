// Parts of the page that few need at first are fetched when they are wanted.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { translation } from "../i18n";
import { Waiting } from "./parts";

/** The same part, fetched when it is first shown; a failure is said, and showing it again tries again. */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let Part: ComponentType<Props> | undefined;
  return function Later(props: Props) {
    const t = translation.value;
    const [state, setState] = useState(Part ? "here" : "coming");
    useEffect(() => {
      if (Part) return;
      load().then(
        (found) => {
          Part = found;
          setState("here");
        },
        () => setState("lost"),
      );
    }, []);
    if (Part) return <Part {...props} />;
    if (state === "lost") return <p role="alert">{t("web.link.lost")}</p>;
    return <Waiting />;
  };
}

// A sheet over the screen: from below on phones, in the middle elsewhere. The browser's own dialog:
// it keeps the focus in, closes on Escape, and gives the focus back.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { translation } from "../i18n";
import { Icon } from "./icons";

export function Sheet(props: { title: string; close(): void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const t = translation.value;
  useLayoutEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class="sheet"
      aria-labelledby="sheet-title"
      onClose={props.close}
      onClick={(event) => event.target === dialog.current && props.close()}
    >
      <div class="sheet-inner">
        <header>
          <h2 id="sheet-title">{props.title}</h2>
          <button type="button" class="round" aria-label={t("web.close")} onClick={props.close}>
            <Icon name="close" />
          </button>
        </header>
        <div class="sheet-body">{props.children}</div>
      </div>
    </dialog>
  );
}

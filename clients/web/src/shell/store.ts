// What this browser remembers. Everything still works where storage is forbidden: it then lasts as
// long as the page.
const fallback = new Map<string, string>();

function keep(storage: () => Storage) {
  return {
    get(key: string): string | null {
      try {
        return storage().getItem(`triquetra.${key}`);
      } catch {
        return fallback.get(key) ?? null;
      }
    },
    set(key: string, value: string | null): void {
      try {
        if (value === null) storage().removeItem(`triquetra.${key}`);
        else storage().setItem(`triquetra.${key}`, value);
      } catch {
        if (value === null) fallback.delete(key);
        else fallback.set(key, value);
      }
    },
  };
}

/** Kept for good, shared by all tabs. */
export const store = keep(() => window.localStorage);
/** Kept by this tab, also over a reload. */
export const tabStore = keep(() => window.sessionStorage);

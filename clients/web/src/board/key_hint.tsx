// The key of a control, in its corner: only for who plays by keyboard (data-keys in shell.css). It is drawn
// by the style, so that it is no part of the control's name; the help for the keyboard says it to all.
export function KeyHint({ keys }: { keys: string | number }) {
  return <kbd class="key-hint" data-key={keys} aria-hidden="true" />;
}

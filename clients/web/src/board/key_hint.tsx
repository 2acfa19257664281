// The key of a control, in its corner: only for who plays by keyboard (data-keys in shell.css). Screen readers
// have it in the help for the keyboard.
export function KeyHint({ keys }: { keys: string | number }) {
  return (
    <kbd class="key-hint" aria-hidden="true">
      {keys}
    </kbd>
  );
}

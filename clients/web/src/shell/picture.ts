// The result as a picture, to be sent to others: who came where, in the colours of the page. Loaded
// when somebody wants it.
const kWidth = 1200;
const kMargin = 80;
const kHead = 230;
const kLine = 78;

export interface Result {
  game: string;
  headline: string;
  /** The first first; without points, `points` is empty. */
  lines: { place: string; name: string; points: string; won: boolean }[];
  foot: string;
}

const colour = (name: string) =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** As large as it has to be for all lines. */
export function draw(canvas: HTMLCanvasElement, { game, headline, lines, foot }: Result): void {
  const height = kHead + lines.length * kLine + 110;
  canvas.width = kWidth;
  canvas.height = height;
  const brush = canvas.getContext("2d")!;
  const font = getComputedStyle(document.body).fontFamily;
  const write = (text: string, x: number, y: number, size: number, how: string, room: number) => {
    brush.font = `${size > 40 ? "bold " : ""}${size}px ${font}`;
    brush.fillStyle = colour(how);
    brush.fillText(text, x, y, room);
  };
  brush.fillStyle = colour("paper");
  brush.fillRect(0, 0, kWidth, height);
  brush.fillStyle = colour("accent");
  brush.fillRect(0, 0, kWidth, 16);
  const whole = kWidth - 2 * kMargin;
  write(game, kMargin, 100, 38, "ink-soft", whole);
  write(headline, kMargin, 172, 62, "ink", whole);
  lines.forEach(({ place, name, points, won }, i) => {
    const top = kHead + i * kLine;
    brush.fillStyle = colour(won ? "accent-soft" : "card");
    brush.fillRect(kMargin, top, whole, kLine - 8);
    write(place, kMargin + 24, top + 48, 38, "ink", 60);
    write(name, kMargin + 90, top + 48, 38, "ink", whole - 420);
    brush.textAlign = "right";
    write(points, kWidth - kMargin - 24, top + 48, 38, "ink", 300);
    brush.textAlign = "left";
  });
  write(foot, kMargin, height - 42, 28, "ink-soft", whole);
}

/** Hands it to whatever the device shares with; where there is nothing, it is saved. */
export async function sharePicture(result: Result): Promise<void> {
  const canvas = document.createElement("canvas");
  draw(canvas, result);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (!blob) return;
  const file = new File([blob], "triquetra.png", { type: blob.type });
  if (navigator.canShare?.({ files: [file] })) {
    // Refused when they changed their mind.
    return navigator.share({ files: [file] }).catch(() => {});
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = file.name;
  link.click();
  URL.revokeObjectURL(link.href);
}

// The animals are told apart by their shapes alone: in one grey, as small as they ever are on a row.
import { expect, test } from "./table";

const kAnimals = ["rabbit", "owl", "deer", "boar", "ram", "bear", "wolf"];
const kSize = 36;
/** Of the pixels of two drawings, how many are not alike. */
const kLeastDifference = 0.15;

test("no two animals have nearly the same shape", async ({ person }) => {
  const { page, server } = await person({ width: 1280, height: 800 });
  await page.goto(`${server.url}#rules/triqueta`);
  await page.locator(".token").first().waitFor();
  const shots: Record<string, string> = {};
  for (const animal of kAnimals) {
    await page.evaluate(
      ({ animal, size }) => {
        const found = [...document.querySelectorAll<SVGUseElement>(".token use")].find((use) =>
          use.getAttribute("href")?.endsWith(animal),
        );
        const drawing = found!.closest("svg")!.cloneNode(true) as SVGElement;
        document.querySelector("#shape")?.remove();
        const place = document.createElement("div");
        place.id = "shape";
        place.style.cssText = `position:fixed;left:0;top:0;z-index:99;width:${size}px;height:${size}px;background:#fff;color:#444`;
        drawing.style.cssText = "width:100%;height:100%;filter:grayscale(1)";
        place.append(drawing);
        document.body.append(place);
      },
      { animal, size: kSize },
    );
    shots[animal] = (await page.locator("#shape").screenshot()).toString("base64");
  }
  const alike = await page.evaluate(async (shots) => {
    const pixels = async (png: string) => {
      const image = new Image();
      image.src = `data:image/png;base64,${png}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d")!;
      canvas.drawImage(image, 0, 0);
      const { data } = canvas.getImageData(0, 0, image.width, image.height);
      return Array.from({ length: data.length / 4 }, (_, i) => data[4 * i]!);
    };
    const all: [string, number[]][] = [];
    for (const [name, png] of Object.entries(shots)) all.push([name, await pixels(png)]);
    return all.flatMap(([a, ours], i) =>
      all.slice(i + 1).map(([b, theirs]) => {
        const other = ours.filter((value, at) => Math.abs(value - theirs[at]!) > 64).length;
        return { pair: `${a} and ${b}`, share: other / ours.length };
      }),
    );
  }, shots);
  expect(alike).toHaveLength(21);
  console.log(JSON.stringify(alike.sort((a, b) => a.share - b.share).slice(0, 3)));
  for (const { pair, share } of alike) expect(share, pair).toBeGreaterThan(kLeastDifference);
});

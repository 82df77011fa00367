/** The contrast of what axe does not measure: frames, rings, dots and placeholders (WCAG 2.2, 1.4.3 and 1.4.11). */
/// <reference lib="dom" />
import type { Locator } from 'playwright-core';

/** Of a colour of the element, or of a pseudo-element of it, with what the element is on. */
export async function contrast(
  element: Locator,
  { property, of }: { property: string; of?: '::placeholder' | '::before' },
): Promise<number> {
  return element.evaluate(
    async (found, { property: name, pseudo }) => {
      await Promise.all(found.getAnimations().map(({ finished }) => finished));
      const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
      const channels = (colour: string): Uint8ClampedArray => {
        context.clearRect(0, 0, 1, 1);
        context.fillStyle = colour;
        context.fillRect(0, 0, 1, 1);
        return context.getImageData(0, 0, 1, 1).data;
      };
      const luminance = (colour: string): number => {
        const [red, green, blue] = Array.from(channels(colour).slice(0, 3), (value) =>
          value <= 10 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4,
        );
        return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
      };
      // A ring and a frame are seen against what is around the element.
      let around: Element | null = pseudo === undefined ? found.parentElement : found;
      const background = (): string => getComputedStyle(around!).backgroundColor;
      while (around?.parentElement && channels(background())[3] !== 255) around = around.parentElement;
      const both = [getComputedStyle(found, pseudo).getPropertyValue(name), background()].map(luminance);
      return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
    },
    { property, pseudo: of },
  );
}

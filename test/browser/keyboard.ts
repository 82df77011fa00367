/** A page without a mouse: every control is reached by Tab, and one sees where one is. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/** Presses after which the rest of a long page is taken for reachable like the part before. */
const MOST = 120;

/**
 * Marks what Tab should reach: what is seen and takes input. Of radio buttons Tab reaches one of a group, and of what a
 * dialog or a menu would show there is nothing yet.
 */
const MARK = `(() => {
  const controls = [...document.querySelectorAll('a[href], button, input, select, textarea, [tabindex="0"]')].filter((one) => {
    const box = one.getBoundingClientRect();
    return !one.disabled && one.tabIndex >= 0 && one.type !== 'radio' && box.width > 0 && box.height > 0 &&
      getComputedStyle(one).visibility === 'visible' && one.closest('[aria-hidden="true"], [inert]') === null;
  });
  controls.forEach((one, at) => { one.dataset.tabStop = String(at); });
  document.activeElement?.blur();
  getSelection()?.removeAllRanges();
  return controls.map((one) => one.getAttribute('aria-label') ?? one.textContent?.trim().slice(0, 40) ?? one.tagName);
})()`;

/** Where the focus is, and whether that looks different from how it looks without. */
const LOOK = `(() => {
  const one = document.activeElement;
  if (one === null || one === document.body) return null;
  // A transition that has just begun looks as before.
  const look = () => (document.getAnimations().forEach((each) => each.finish()), 0) || [one, one.parentElement, one.nextElementSibling, one.parentElement?.parentElement].map((near) => {
    if (!near) return '';
    const { outline, boxShadow, borderColor, backgroundColor } = getComputedStyle(near);
    return [outline, boxShadow, borderColor, backgroundColor].join();
  }).join();
  const focused = look();
  one.blur();
  const plain = look();
  one.focus({ focusVisible: true });
  return { stop: one.dataset.tabStop, isSeen: focused !== plain, name: one.getAttribute('aria-label') ?? one.textContent?.slice(0, 40) };
})()`;

interface Look {
  readonly stop: string | undefined;
  readonly isSeen: boolean;
  readonly name: string;
}

export async function assertByKeyboard(page: Page): Promise<void> {
  const names = (await page.evaluate(MARK)) as string[];
  const reached = new Set<string>();
  const unseen: string[] = [];
  for (let presses = 0; presses < Math.min(names.length + 10, MOST); presses += 1) {
    await page.keyboard.press('Tab');
    const look = (await page.evaluate(LOOK)) as Look | null;
    if (look === null) continue;
    if (!look.isSeen) unseen.push(look.name);
    if (look.stop !== undefined) reached.add(look.stop);
  }
  const missed = names.filter((_name, at) => at < MOST - 20 && !reached.has(String(at)));
  assert.deepEqual(missed, [], 'controls that Tab does not reach');
  assert.deepEqual(unseen, [], 'controls that do not show that they have the focus');
}

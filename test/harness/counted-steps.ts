/** The steps that a person takes: each click, each key, and each text that is typed is one. */
import type { Locator, Page } from 'playwright-core';

/** Takes steps and counts them. */
export interface CountedSteps {
  readonly taken: number;
  click(where: Locator): Promise<void>;
  press(key: string): Promise<void>;
  /** Types where the focus is. */
  type(text: string): Promise<void>;
  fill(where: Locator, text: string): Promise<void>;
  check(where: Locator): Promise<void>;
  /** Chooses in a list. */
  choose(where: Locator, label: string): Promise<void>;
  drag(from: { x: number; y: number }, to: { x: number; y: number }): Promise<void>;
}

/** Counts the steps of one task. */
export function countSteps(page: Page): CountedSteps {
  let taken = 0;
  const step =
    <Input extends unknown[]>(take: (...input: Input) => Promise<unknown>) =>
    async (...input: Input): Promise<void> => {
      taken += 1;
      await take(...input);
    };
  return {
    get taken() {
      return taken;
    },
    click: step((where) => where.click()),
    press: step((key) => page.keyboard.press(key)),
    type: step((text) => page.keyboard.type(text)),
    fill: step((where, text) => where.fill(text)),
    check: step((where) => where.check()),
    choose: step((where, label) => where.selectOption({ label })),
    drag: step(async (from, to) => {
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(to.x, to.y, { steps: 6 });
      await page.mouse.up();
    }),
  };
}

/** Keeps the messages where nothing can be pressed. */
import { type Box, placeOf } from './message-place.ts';

const messages = '.mantine-Notifications-root[data-position="top-right"]';
const controls = 'a[href], button, input, select, textarea, summary, label';

function takenBy(root: Element): Box[] {
  return [...document.querySelectorAll(controls)]
    .filter((one) => !root.contains(one) && one.checkVisibility({ contentVisibilityAuto: true }))
    .map((one) => one.getBoundingClientRect())
    .filter(({ bottom, top, width }) => width > 1 && bottom > 0 && top < window.innerHeight);
}

function placeMessages(root: HTMLElement): void {
  if (!root.querySelector('.mantine-Notification-root')) {
    root.style.top = '';
    return;
  }
  const { width, height, left, top } = root.getBoundingClientRect();
  const view = { width: document.documentElement.clientWidth, height: window.innerHeight };
  const now = root.style.top === '' ? null : { left, top };
  const { place, isFree } = placeOf({ width, height }, view, takenBy(root), now);
  Object.assign(root.style, { left: `${place.left}px`, top: `${place.top}px`, right: 'auto' });
  // Where everything can be pressed, it is pressed through the message.
  root.toggleAttribute('data-over', !isFree);
}

/** Keeps the messages off what can be pressed, while the page changes and is scrolled. */
export function keepMessagesClear(): void {
  let isPlanned = false;
  const plan = () => {
    if (isPlanned) return;
    isPlanned = true;
    requestAnimationFrame(() => {
      isPlanned = false;
      const root = document.querySelector<HTMLElement>(messages);
      if (!root) return;
      // Observed again, nothing happens. A message grows to its height.
      sizes.observe(root);
      placeMessages(root);
    });
  };
  const sizes = new ResizeObserver(plan);
  new MutationObserver(plan).observe(document.body, { childList: true, subtree: true });
  window.addEventListener('scroll', plan, { passive: true, capture: true });
  // A part of a long list has come into view.
  document.addEventListener('contentvisibilityautostatechange', plan, { capture: true });
  window.addEventListener('resize', plan);
}

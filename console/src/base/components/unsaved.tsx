import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useBlocker } from '@tanstack/react-router';

let asked: Promise<boolean> | undefined;

/** Asks whether unsaved changes may be lost. A second question joins the first. */
function mayBeLost(): Promise<boolean> {
  if (asked) return asked;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  asked = promise;
  modals.openConfirmModal({
    title: 'Discard your changes?',
    children: <Text size="sm">You have changes that are not saved.</Text>,
    labels: { confirm: 'Discard', cancel: 'Keep editing' },
    confirmProps: { color: 'red' },
    onConfirm: () => resolve(true),
    onClose() {
      resolve(false);
      // Not before the end of the event: Escape also reaches the dialog below.
      setTimeout(() => (asked = undefined));
    },
  });
  return promise;
}

/**
 * Asks before the page is left while a form has changes that are not saved; the browser asks before it is closed.
 * Returns what asks in the same way before something else, such as closing the dialog of the form.
 */
export function useUnsaved(isChanged: boolean): (leave: () => void) => void {
  useBlocker({
    shouldBlockFn: async ({ current, next }) =>
      current.pathname !== next.pathname && !(await mayBeLost()),
    enableBeforeUnload: true,
    disabled: !isChanged,
  });
  return (leave) => {
    if (!isChanged) leave();
    else void mayBeLost().then((isLost) => isLost && leave());
  };
}

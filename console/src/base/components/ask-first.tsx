import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { ReactNode } from 'react';

/** A question before an act. */
export interface Question {
  title: string;
  text: ReactNode;
  /** The button that acts. */
  verb: string;
  /** The other button. */
  keep?: string;
  /** Red: the act cannot be undone. */
  color?: 'red';
}

/** Asks in a dialog, and acts if the answer is yes. */
export const askFirst = (
  { title, text, verb, keep = 'Cancel', color }: Question,
  onConfirm: () => void,
): void =>
  void modals.openConfirmModal({
    title,
    children: (
      <Text size="sm" className="break">
        {text}
      </Text>
    ),
    labels: { confirm: verb, cancel: keep },
    // Enter says yes, Escape no.
    confirmProps: { 'data-autofocus': true, ...(color && { color }) },
    onConfirm,
  });

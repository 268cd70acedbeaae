import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { CallFailure } from '../api/call.ts';
import { withDayTexts } from '../words/dates.ts';

const quicklyMs = 4_000;

// The button has only an icon.
const closeButtonProps = { 'aria-label': 'Dismiss' };

/** Shows a notification of success. */
export const notifyDone = (message: string): void => {
  notifications.show({
    message,
    color: 'teal',
    autoClose: quicklyMs,
    role: 'status',
    closeButtonProps,
  });
};

const undoMs = 10_000;

/** Shows what was done, with a button that undoes it for ten seconds. */
export function notifyUndo(message: string, undo: () => Promise<void>): void {
  const id = notifications.show({
    message: (
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <span>{message}</span>
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => {
            notifications.hide(id);
            undo().then(() => notifyDone('Undone.'), notifyFailure);
          }}
        >
          Undo
        </Button>
      </Group>
    ),
    color: 'teal',
    autoClose: undoMs,
    role: 'status',
    closeButtonProps,
  });
}

/** Shows a notification of failure with the request ID. It stays until it is closed. */
export function notifyFailure(error: Error): void {
  const requestId = error instanceof CallFailure ? error.requestId : undefined;
  notifications.show({
    title: withDayTexts(error.message),
    message: requestId && <span className="mono break">Request ID {requestId}</span>,
    color: 'red',
    autoClose: false,
    role: 'alert',
    closeButtonProps,
  });
}

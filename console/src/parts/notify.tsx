import { notifications } from '@mantine/notifications';
import { CallFailure } from '../api/call.ts';

const quicklyMs = 4_000;

/** Says in a corner that something was done. */
export const notifyDone = (message: string): void => {
  notifications.show({ message, color: 'teal', autoClose: quicklyMs, role: 'status' });
};

/** Says in a corner what went wrong, and stays until it is closed: it carries the request ID. */
export function notifyFailure(error: Error): void {
  const requestId = error instanceof CallFailure ? error.requestId : undefined;
  notifications.show({
    title: error.message,
    message: requestId && <span className="mono break">Request ID {requestId}</span>,
    color: 'red',
    autoClose: false,
    role: 'alert',
  });
}

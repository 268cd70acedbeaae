import { reservations } from '../../api/reservations.ts';
import { openReasonDialog } from '../../components/act-form.tsx';

/** Opens the dialog that collects again, and asks the card provider again for what it has refused. */
export const openStart = (reference: string): void =>
  openReasonDialog({
    title: `Collect again: ${reference}`,
    about: 'A worker asks within seconds. The days between further attempts begin anew.',
    run: (reason) => reservations.start(reference, reason),
    label: 'Start',
    done: 'The card provider is asked again.',
  });

/** Opens the dialog that stops collecting. */
export const openStop = (reference: string): void =>
  openReasonDialog({
    title: `Stop collecting: ${reference}`,
    about: 'Nothing is charged to the card until you start it again. Refunds go on.',
    run: (reason) => reservations.stop(reference, reason),
    label: 'Stop',
    done: 'Nothing more is charged to the card.',
  });

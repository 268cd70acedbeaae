/** What staff note about a reservation, for each other: partners never see it. */
import { instant } from '../../contract/time.ts';
import { noSuch, OperatorRefusal } from '../../access/index.ts';
import { operatorLimits } from '../../contract/operator/limits.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import type { Database, Executor } from '../../platform/postgres/database.ts';
import { deleteNote, insertNote } from '../store/reservation-notes.ts';
import { unknownReservation } from './context.ts';

/** Adds a note to a reservation. The audit trail does not have its text. Throws `OperatorRefusal`. */
export async function addNote(
  database: Database,
  actor: string,
  { reference, text }: { reference: string; text: string },
) {
  const add = async (executor: Executor) => {
    const added = await insertNote(executor, { reference, author: actor, text });
    if (!added) throw unknownReservation(reference);
    if (added.at === null) {
      throw new OperatorRefusal(
        `A reservation has at most ${operatorLimits.notesOfReservation} notes.`,
      );
    }
    return { ...added, at: added.at };
  };
  const { noteId, at } = await auditedChange(database, add, ({ applicationId, ...added }) => ({
    actor,
    action: 'reservation.note.add',
    applicationId,
    reference,
    details: { noteId: added.noteId },
  }));
  return { noteId, reference, author: actor, text, at: instant(at) };
}

/** Removes a note of a reservation permanently. Throws `OperatorRefusal`. */
export async function removeNote(
  database: Database,
  actor: string,
  { reference, noteId }: { reference: string; noteId: string },
): Promise<{ noteId: string }> {
  const removed = await auditedChange(
    database,
    (executor) => deleteNote(executor, { reference, noteId }),
    ({ applicationId, author }) => ({
      actor,
      action: 'reservation.note.remove',
      applicationId,
      reference,
      details: { noteId, author },
    }),
  );
  if (!removed) throw noSuch(`The reservation ${reference} has no note ${noteId}.`);
  return { noteId };
}

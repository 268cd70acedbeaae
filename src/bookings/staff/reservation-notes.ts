/** What staff note about a reservation, for each other: partners never see it. */
import { instant } from '../../contract/time.ts';
import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { refuseConflict, refuseStaff } from '../../contract/operator/errors.ts';
import { operatorLimits } from '../../contract/operator/limits.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import type { Database, Executor } from '../../platform/postgres/database.ts';
import { deleteNote, insertNote } from '../store/reservation-notes.ts';
import { unknownReservation } from './context.ts';

/** Adds a note to a reservation. The audit trail does not have its text. */
export async function addNote(
  database: Database,
  actor: string,
  { reference, text }: { reference: string; text: string },
) {
  const add = async (executor: Executor) => {
    const added = await insertNote(executor, { reference, author: actor, text });
    if (!added) return unknownReservation(reference);
    if (added.at === null) {
      return refuseConflict(
        `A reservation has at most ${operatorLimits.notesOfReservation} notes.`,
      );
    }
    return { ...added, at: added.at };
  };
  const note = await auditedChange(database, add, ({ applicationId, ...added }) => ({
    actor,
    action: 'reservation.note.add',
    applicationId,
    reference,
    details: { noteId: added.noteId },
  }));
  if (isRefusal(note)) return note;
  return { noteId: note.noteId, reference, author: actor, text, at: instant(note.at) };
}

/** Removes a note of a reservation permanently. */
export async function removeNote(
  database: Database,
  actor: string,
  { reference, noteId }: { reference: string; noteId: string },
): Promise<{ noteId: string } | Refusal<'not_found'>> {
  const removed = await auditedChange(
    database,
    async (executor) =>
      (await deleteNote(executor, { reference, noteId })) ??
      refuseStaff('not_found', `The reservation ${reference} has no note ${noteId}.`),
    ({ applicationId, author }) => ({
      actor,
      action: 'reservation.note.remove',
      applicationId,
      reference,
      details: { noteId, author },
    }),
  );
  return isRefusal(removed) ? removed : { noteId };
}

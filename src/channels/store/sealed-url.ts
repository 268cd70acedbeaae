/** The URL of a calendar, which is encrypted because it usually contains a secret. */
import type { Executor } from '../../platform/postgres/database.ts';

/** The row of a calendar with its URL. */
export interface SealedRow {
  calendarId: string;
  /** Null: it is a file. */
  url_sealed: Buffer | null;
}

/** The URL of a calendar. Null: it is a file, or was sealed with another key. */
export function openUrl(
  executor: Executor,
  { url_sealed: sealed, calendarId }: SealedRow,
): string | null {
  try {
    return sealed && executor.vault.open('calendar', sealed, calendarId);
  } catch {
    return null;
  }
}

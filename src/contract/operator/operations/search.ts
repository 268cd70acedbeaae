import { tagged } from '../../complete-rows.ts';
import type { StatedRows } from '../row.ts';
import { Search, Found } from '../schemas/search.ts';

/** The one search of the console. */
export const searchRows = tagged('Search', {
  'operator.search.find': {
    call: 'POST /operator/v1/search',
    summary: 'Find guests, reservations, homes and partners',
    description:
      'By whatever somebody says on the phone: words of a name, a phone number, an email address, a reference that was written without hyphens or capitals, or with O for 0, a home, a night. The text is in the body, so that no address or log has it. `notSearched` says what the text could mean and was not searched.',
    scope: 'read',
    body: Search,
    reply: { 200: Found },
  },
} as const satisfies StatedRows);

/** The states of a calendar in words. */
export const calendarStates = {
  new: { name: 'Not read yet', color: 'gray' },
  ok: { name: 'OK', color: 'teal' },
  failing: { name: 'Failing', color: 'red' },
  shrunk: { name: 'Shrunk', color: 'orange' },
} as const;

/** What a state means for the nights. */
export const stateMeanings = {
  new: 'It has not been read yet.',
  ok: 'The last read was whole.',
  failing:
    'The last read failed, or a part of the calendar was lost. What was understood is blocked, and no night becomes free.',
  shrunk:
    'At least half of its events are missing. Their nights stay blocked for six hours, unless you decide.',
} as const;

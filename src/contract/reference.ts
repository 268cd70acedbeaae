/** Digits and capitals without I, L, O and U, which are easy to confuse. Spec: RESERVATION-1. */
export const referenceLetters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The form of the references that this service creates, LK-XXXX-XXXX. Older reservations may have another. */
export const referenceForm = new RegExp(`^LK(-[${referenceLetters}]{4}){2}$`);

/** Why staff may not do what they asked for, in a sentence for them. */
export interface StaffRefusal {
  refusal: string;
  /** The member of the request that is invalid; absent: the request is valid, but cannot be done. */
  field?: { path: string; message: string };
}

/** Refuses what staff asked for. */
export const refuseStaff = (refusal: string): StaffRefusal => ({ refusal });

/** Whether a decision is a refusal. */
export const isStaffRefusal = (value: object): value is StaffRefusal => 'refusal' in value;

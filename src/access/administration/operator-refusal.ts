/** What staff asked for cannot be done; the message says why, in words for people. */
export class OperatorRefusal extends Error {
  override readonly name = 'OperatorRefusal';
}

/** The refusal for an application that is not registered here. */
export const unknownApplication = (applicationId: string): OperatorRefusal =>
  new OperatorRefusal(`There is no application ${applicationId}.`);

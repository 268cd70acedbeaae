/** A command of staff was refused. The message tells staff why. */
export class OperatorRefusal extends Error {
  override readonly name = 'OperatorRefusal';
}

/** The refusal for an unknown application. */
export const unknownApplication = (applicationId: string): OperatorRefusal =>
  new OperatorRefusal(`There is no application ${applicationId}.`);

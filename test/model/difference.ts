/** A response of the service that the model does not expect. */
export class Difference extends Error {
  override name = 'Difference';
}

/** What the service answered is not what the model says. */
export class Difference extends Error {
  override name = 'Difference';
}

/** The demo cannot continue. The message tells the user what to do. */
export class DemoFailure extends Error {}

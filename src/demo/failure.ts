/** The demo cannot go on. The message is for the person who started it, and says what to do. */
export class DemoFailure extends Error {}

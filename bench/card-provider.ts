/**
 * The stand-in of the card provider in its own process. A guest enters a card that pays as soon as a setup is
 * made: the payment method has the number after that of the setup.
 */
import { type Reply, type Request, StandIn } from '../test/harness/stripe/stand-in.ts';
import { serveStandIn } from '../test/harness/stripe/server.ts';

/** Answers at once, and keeps nothing that only tests read. */
class PayingStandIn extends StandIn {
  override reply(request: Request): Reply {
    const reply = super.reply(request);
    this.calls.length = 0;
    this.events.length = 0;
    const isSetup = request.method === 'POST' && request.path === '/v1/setup_intents';
    if (isSetup && reply.kind === 'answer') {
      this.guest.confirmSetup(String(reply.answer.body['client_secret']), 'pm_card_visa');
    }
    return reply;
  }
}

const { url } = await serveStandIn(new PayingStandIn());
process.send?.({ port: Number(new URL(url).port) });

/*
 * Shows the provider's card fields for a client secret, which is in the fragment of the address: a browser
 * does not send it to the server.
 */
const given = new URLSearchParams(location.hash.slice(1));
const clientSecret = given.get('secret') ?? '';
const form = document.querySelector('#card');
const button = document.querySelector('#confirm');
const message = document.querySelector('#message');

const say = (text) => {
  message.textContent = text;
};

/** The guest enters a card, which the provider keeps. */
function enterCard(stripe) {
  // The fields do not know the colours of the page around them.
  const theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'night' : 'stripe';
  const elements = stripe.elements({ clientSecret, appearance: { theme } });
  elements.create('payment').mount('#fields');
  return () => stripe.confirmSetup({ elements, redirect: 'if_required' });
}

/** The guest authenticates a payment with the card that was entered before. */
function authenticate(stripe) {
  button.textContent = 'Authenticate the payment';
  return () => stripe.confirmCardPayment(clientSecret, { payment_method: given.get('method') });
}

function start() {
  if (!window.Stripe) return say('The script of the card provider could not be loaded.');
  if (!clientSecret) return say('The address has no client secret: copy all of it from the demo.');
  const stripe = window.Stripe(given.get('key'));
  const confirm = clientSecret.startsWith('seti_') ? enterCard(stripe) : authenticate(stripe);
  button.disabled = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    say('One moment…');
    const { error } = await confirm();
    button.disabled = !error;
    say(error ? error.message : 'Done. The demo continues in the terminal.');
  });
}

start();

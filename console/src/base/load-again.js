/*
 * Stands in the document itself. While an upgrade replaces one process after the other, the document can come from
 * one release, and a file of it be asked of another, which does not have it: the page would stay blank. A browser
 * keeps the files that it got, so each try needs fewer; when the upgrade ends, all are there.
 */
(() => {
  const key = 'latchkey-tries';
  const triesAtMost = 20;
  const waitMs = 250;
  const longestWaitMs = 2_000;
  let isMissing = false;

  const isNeeded = (part) =>
    (part instanceof HTMLScriptElement && part.type === 'module') ||
    (part instanceof HTMLLinkElement && part.rel === 'stylesheet');

  function say(text) {
    const page = document.getElementById('page');
    // Only styles are missing.
    if (!page || page.hasChildNodes()) return null;
    const notice = document.createElement('p');
    notice.setAttribute('role', 'status');
    notice.style.margin = '2rem';
    notice.textContent = text;
    page.append(notice);
    return notice;
  }

  function offerAgain() {
    const again = document.createElement('button');
    again.textContent = 'Load again';
    again.addEventListener('click', () => {
      sessionStorage.removeItem(key);
      location.reload();
    });
    say('This page could not be loaded. Latchkey may be down. ')?.append(again);
  }

  addEventListener('error', ({ target }) => (isMissing ||= isNeeded(target)), true);
  addEventListener('load', () => {
    if (!isMissing) return sessionStorage.removeItem(key);
    const tries = Number(sessionStorage.getItem(key)) + 1;
    if (tries > triesAtMost) return offerAgain();
    sessionStorage.setItem(key, tries);
    say('Latchkey is being upgraded. This page loads by itself in some seconds.');
    setTimeout(() => location.reload(), Math.min(tries * waitMs, longestWaitMs));
  });
})();

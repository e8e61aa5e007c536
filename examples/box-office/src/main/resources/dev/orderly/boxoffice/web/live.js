// Keeps the parts marked data-live fresh: fetches this same page each second and swaps in what changed.
// Without script the page refreshes itself instead, so nothing here is needed.
const again = (wait) => setTimeout(renew, wait);

async function renew() {
  if (document.hidden) return again(1000);
  try {
    const answer = await fetch(location.href, { credentials: 'same-origin', signal: AbortSignal.timeout(10_000) });
    if (!answer.ok) throw new Error(answer.status);
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    for (const part of document.querySelectorAll('[data-live]')) {
      const fresh = page.getElementById(part.id);
      // A part that someone is typing or tabbing in is left alone until they are done.
      if (!fresh || part.contains(document.activeElement)) continue;
      if (part.innerHTML !== fresh.innerHTML) part.replaceChildren(...fresh.childNodes);
    }
    document.title = page.title;
    if (page.querySelector('[data-live=on]')) again(1000);
  } catch {
    again(4000); // the shop is busy or away
  }
}

again(600);

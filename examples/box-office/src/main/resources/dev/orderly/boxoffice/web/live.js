// Keeps the parts marked data-live fresh: fetches this same page and replaces changed parts. Pages of the visitor's own
// orders do so when Orderly sends a message; other pages, and all pages without a connection, each second while a
// change is expected. Without script the page reloads itself instead.
const pulse = document.getElementById('pulse');
const ahead = document.getElementById('ahead');
// A shop without Orderly in front has no client.
const orderly = pulse && await import('/.orderly/client.js').catch(() => null);

let online = false, busy = false, more = false, timer, followed = '';

async function renew() {
  if (busy) {
    more = true;
    return;
  }
  busy = true;
  more = false;
  clearTimeout(timer);
  let moving = true;
  try {
    const answer = await fetch(location.href, { credentials: 'same-origin', signal: AbortSignal.timeout(10_000) });
    if (!answer.ok) throw new Error(answer.status);
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    for (const part of document.querySelectorAll('[data-live]')) {
      const fresh = page.getElementById(part.id);
      // A part with the focus, such as a form, is not replaced until the visitor leaves it.
      if (!fresh || part.contains(document.activeElement)) continue;
      if (part.innerHTML !== fresh.innerHTML) part.replaceChildren(...fresh.childNodes);
    }
    document.title = page.title;
    moving = page.querySelector('[data-live=on]') !== null;
    follow(page.getElementById('ahead')?.dataset.job);
    next(moving ? online ? 15_000 : 1000 : 0);
  } catch {
    next(4000); // the shop is busy or away
  }
  busy = false;
  if (more) renew();
}

function next(wait) {
  clearTimeout(timer);
  if (wait) timer = setTimeout(() => document.hidden ? next(wait) : renew(), wait);
}

// The job that ends next: its progress, or the number of jobs before it.
function follow(job) {
  if (!orderly || !job || job === followed) return;
  followed = job;
  orderly.followJob(job, show).ended.catch(() => {}).then(() => {
    followed = '';
    ahead.hidden = true;
    renew();
  });
}

function show(job) {
  const { state, line, progress } = job;
  const parts = [];
  if (state === 'running' && progress) {
    const bar = document.createElement('progress');
    Object.assign(bar, { max: progress.total, value: progress.done, ariaLabel: 'Progress' });
    parts.push(bar, progress.text);
  } else if (state === 'waiting' && line?.ahead) {
    const time = line.seconds && `, about ${Math.ceil(line.seconds.low)} to ${Math.ceil(line.seconds.high)} seconds`;
    parts.push(`In line: ${line.ahead}${line.more ? ' or more' : ''} before this one${time ?? ''}`);
  }
  ahead.replaceChildren(...parts);
  ahead.hidden = parts.length === 0;
}

if (orderly) {
  orderly.live({
    // The message's text is shown; the current state comes from the shop.
    onMessage: message => {
      if (message.status && (!ahead || location.pathname.endsWith('/' + message.id))) say(': ' + message.status);
      renew();
    },
    onState: state => {
      online = state === 'online';
      pulse.hidden = false;
      pulse.classList.toggle('on', online);
      say('');
      renew(); // messages sent meanwhile were not stored
    },
  });
  follow(ahead?.dataset.job);
}
next(600);

function say(news) {
  pulse.textContent = (online ? 'Live on all your tabs' : 'Connecting …') + news;
}

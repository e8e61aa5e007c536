// Live regions, local times, keyboard, notices. Pages are complete without it.
(() => {
  'use strict';
  const body = document.body;
  const base = body.dataset.base || '';
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  // --- times: relative, in the viewer's zone on hover
  const exact = new Intl.DateTimeFormat(undefined, {dateStyle: 'medium', timeStyle: 'medium'});
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const units = [[86400, 'd'], [3600, 'h'], [60, 'min'], [1, 's']];
  const text = seconds => {
    for (let i = 0; i < units.length - 1; i++) {
      const [size, unit] = units[i];
      if (seconds >= size) {
        const rest = Math.floor(seconds % size / units[i + 1][0]);
        return `${Math.floor(seconds / size)} ${unit}` + (rest ? ` ${rest} ${units[i + 1][1]}` : '');
      }
    }
    return `${Math.max(0, Math.floor(seconds))} s`;
  };
  const times = root => all('time[datetime]', root).forEach(time => {
    const moment = new Date(time.getAttribute('datetime'));
    if (isNaN(moment)) return;
    time.title = `${exact.format(moment)} (${zone})`;
    if (time.hasAttribute('data-ago')) time.textContent = text(Math.abs(Date.now() - moment) / 1000);
    else if (time.hasAttribute('data-exact')) time.textContent = exact.format(moment);
  });
  setInterval(() => { if (!document.hidden) times(document); }, 1000);

  // --- counts that grew since the viewer last looked
  const seen = (name, value) => {
    try {
      const key = `orderly.seen.${name}`;
      if (value === undefined) return Number(localStorage.getItem(key) || 0);
      localStorage.setItem(key, value);
    } catch { /* without storage nothing is new */ }
    return 0;
  };
  const counters = root => {
    all('[data-counter]', root).forEach(element => {
      const fresh = Number(element.dataset.count) - seen(element.dataset.counter);
      const strong = element.querySelector('strong');
      if (fresh > 0 && strong && !strong.querySelector('.new')) {
        const badge = document.createElement('span');
        badge.className = 'badge new';
        badge.textContent = `${fresh} new`;
        strong.append(' ', badge);
      }
    });
    all('[data-seen]', root).forEach(element => seen(element.dataset.seen, element.dataset.count));
  };

  const renew = root => { times(root); counters(root); document.dispatchEvent(new CustomEvent('orderly-renewed', {detail: root})); };

  // --- live regions: one stream for the page, none while it is hidden
  const pulse = document.getElementById('pulse');
  const say = (state, words) => {
    if (pulse.dataset.state !== state) {
      pulse.dataset.state = state;
      pulse.querySelector('[data-pulse]').textContent = words;
      pulse.title = words;
    }
  };
  const morph = {morphStyle: 'innerHTML', callbacks: {
    beforeAttributeUpdated: name => !(name === 'open' || name === 'data-keep'),
    beforeNodeMorphed: (old) => !(old.nodeType === 1 && old.hasAttribute('data-keep')),
  }};
  let stream = null;
  let last = 0;
  const held = new Map(); // newest HTML of regions with an open form, which keeps what it shows; the server compares
  const show = (region, html) => {
    held.delete(region.id);
    if (region.querySelector('form:popover-open')) {
      held.set(region.id, html);
      return;
    }
    Idiomorph.morph(region, html, morph);
    htmx.process(region);
    renew(region);
  };
  const apply = event => {
    last = Date.now();
    const {id, html} = JSON.parse(event.data);
    const region = document.getElementById(id);
    if (region) show(region, html);
    return id;
  };
  document.addEventListener('toggle', event => { // a form that closes: the server sends no state twice
    const region = event.newState === 'closed' && event.target.closest('[data-region]');
    if (region && held.has(region.id)) show(region, held.get(region.id));
  }, true);
  const close = () => { if (stream) { stream.close(); stream = null; } };
  const open = () => {
    if (!body.dataset.live || document.hidden || stream) return;
    const page = location.pathname.slice(base.length) + location.search;
    stream = new EventSource(`${body.dataset.live}?page=${encodeURIComponent(page)}`);
    stream.addEventListener('region', event => { if (apply(event) !== 'stores') say('live', 'Live'); }); // the frame of a page is sent beside its failure
    stream.addEventListener('beat', () => { last = Date.now(); say('live', 'Live'); });
    stream.addEventListener('failed', event => { last = Date.now(); say('stale', JSON.parse(event.data).reason); });
    stream.onerror = () => {
      say('stale', 'Not live: connecting again');
      if (stream && stream.readyState === EventSource.CLOSED) { close(); setTimeout(open, 5000); }
    };
  };
  document.addEventListener('visibilitychange', () => { if (document.hidden) { close(); say('paused', 'Paused'); } else open(); });
  setInterval(() => { if (stream && last && Date.now() - last > 10000) { say('stale', 'Not live: connecting again'); close(); open(); last = Date.now(); } }, 2000);
  window.addEventListener('pagehide', close);
  window.addEventListener('pageshow', open);

  // --- notices of actions
  const notices = document.getElementById('notices');
  document.addEventListener('htmx:afterRequest', event => {
    const form = event.detail.elt;
    if (form.matches && form.matches('form[popover]') && form.matches(':popover-open')) form.hidePopover();
    if (event.detail.failed && !event.detail.xhr.status) {
      notices.innerHTML = '<div class="notice bad" role="alert" data-notice><p><strong>No answer from the server</strong>'
        + '<span>Nothing is known about this change: look at the audit log before you try again</span></p>'
        + '<button type="button" class="quiet" data-dismiss aria-label="Dismiss">×</button></div>';
    }
  });
  let timer = 0;
  new MutationObserver(() => {
    clearTimeout(timer);
    if (notices.querySelector('.notice.good')) timer = setTimeout(() => { if (!notices.matches(':hover,:focus-within')) notices.textContent = ''; }, 12000);
  }).observe(notices, {childList: true});

  // --- theme, dismissal
  const themes = ['auto', 'light', 'dark'];
  document.addEventListener('click', event => {
    const button = event.target.closest('button');
    if (!button) return;
    if (button.hasAttribute('data-dismiss')) button.closest('[data-notice]').remove();
    if (button.hasAttribute('data-theme-switch')) {
      const root = document.documentElement;
      const next = themes[(themes.indexOf(root.dataset.theme || 'auto') + 1) % themes.length];
      if (next === 'auto') delete root.dataset.theme; else root.dataset.theme = next;
      try { localStorage.setItem('orderly.theme', next); } catch { /* holds for this page */ }
      button.title = `Theme: ${next}`;
      document.dispatchEvent(new Event('orderly-theme'));
    }
  });

  // --- keyboard
  let first = '';
  const rows = () => all('[data-row]').filter(row => row.offsetParent);
  const move = step => {
    const list = rows();
    if (!list.length) return;
    const at = list.findIndex(row => row.contains(document.activeElement));
    const row = list[Math.min(list.length - 1, Math.max(0, at < 0 ? (step > 0 ? 0 : list.length - 1) : at + step))];
    const target = row.querySelector('a') || row.querySelector('button, input') || row;
    target.focus();
    row.scrollIntoView({block: 'nearest'});
  };
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, textarea, select, [contenteditable]')) return;
    const key = event.key;
    if (first === 'g') {
      const section = all('[data-keys]').find(link => link.dataset.keys === `g ${key}`);
      first = '';
      if (section) { event.preventDefault(); section.click(); }
      return;
    }
    if (key === 'g') { first = 'g'; setTimeout(() => { first = ''; }, 1500); }
    else if (key === '/') { event.preventDefault(); (document.querySelector('[data-search]') || document.getElementById('find')).focus(); }
    else if (key === '?') document.getElementById('keys').togglePopover();
    else if (key === 'x') rows().filter(row => row.contains(document.activeElement))
      .forEach(row => { const box = row.querySelector('input[type="checkbox"]'); if (box) box.checked = !box.checked; });
    else if (key === 'j') move(1);
    else if (key === 'k') move(-1);
  });

  renew(document);
  open();
})();

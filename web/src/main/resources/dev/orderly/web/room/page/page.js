(() => {
'use strict';
const doc = document, byId = id => doc.getElementById(id);
const {t, base, group, groupFrom, lang, now: first} = JSON.parse(byId('data').textContent);
const plural = new Intl.PluralRules(lang);
// The same words and numbers as the server writes: see Wording.java.
const number = n => n < groupFrom ? '' + n : ('' + n).replace(/\B(?=(\d{3})+$)/g, group);
const form = (key, n) => t[key][plural.select(n)] || t[key].other || t[key].many;
const fill = (text, values) => text.replace(/{(\w+)}/g, (_, name) => number(values[name]));
const range = (key, low, high) => low < high ? fill(form(key + 'Range', high), {low, high}) : fill(form(key, high), {n: high});
const set = (id, text) => {
	const e = byId(id);
	if (e) {
		e.hidden = !text;
		if (text && e.textContent !== text) e.textContent = text;
	}
};
const attribute = (id, name, value) => byId(id)?.setAttribute(name, value);
const hide = (id, hidden) => byId(id) && (byId(id).hidden = hidden);
const on = (target, name, action) => target?.addEventListener(name, action);
const jitter = seconds => seconds * 1000 * (1 + Math.random() * .3);

function estimate({low, high}) {
	if (low == null) return t.unknown;
	if (low >= 86400) return t.overDay;
	if (high == null) return low < 3600 ? t.unknown : t.overHour;
	if (high < 60) return t.soon;
	const unit = high > 5400 ? 3600 : 60;
	let from = Math.max(1, Math.floor(low / unit)), to = Math.ceil(high / unit);
	if (unit === 60 && to > 20) {
		to = Math.ceil(to / 5) * 5;
		from = from < 10 ? from : from - from % 5;
	}
	return range(unit === 60 ? 'minutes' : 'hours', from, to);
}

let shown = first, over, live, paused, errors = 0, timer, source, audio, wanted;
let told = '', toldState = '', toldAt = 0, announcer;

function show(s) {
	s = shown = {...shown, ...s};
	const state = s.state, heading = t[state + 'Heading'] || t.inLine, placed = s.place != null && /waiting|door|held/.test(state);
	const waiting = state === 'waiting', size = s.ahead ? number(s.ahead) : '';
	const [before, after] = size ? form('ahead', s.ahead).replace('{n}', s.aheadKnown ? '{n}' : t.atMost).split('{n}') : ['', t.next];
	const eta = waiting && estimate(s);
	const cause = (waiting || state === 'held') && t.causes[s.cause];
	doc.body.dataset.state = state;
	// A lobby has a page of its own.
	if (state === 'lobby' && !t.lobbyHeading) enterSoon(9);
	doc.title = (waiting && size ? size + ' · ' : '') + heading + ' – ' + s.title;
	set('heading', heading);
	set('lead', t[state + 'Text']);
	set('check', state === 'turn' ? t.enter : state === 'left' ? t.again : t.check);
	set('message', s.message);
	attribute('message', 'lang', s.messageLanguage || lang);
	hide('news', !s.message);
	hide('wait', !eta);
	set('eta', eta);
	set('kept', eta && s.kept != null && fill(t.kept, {n: s.kept}));
	set('cause', cause);
	if (placed) {
		const percent = Math.round(s.progress * 100);
		set('place', fill(t.place, {n: s.place}));
		set('before', before.trim());
		set('number', size);
		set('after', after.trim());
		attribute('ahead', 'data-size', size ? size.length < 4 ? 's' : 'l' : '0');
		attribute('bar', 'aria-valuenow', percent);
		attribute('done', 'width', percent + '%');
		['you', 'halo'].forEach(id => attribute(id, 'cx', percent + '%'));
	}
	announce([heading, t[state + 'Text'], placed && before + size + after, eta && t.etaLabel + ': ' + eta, cause, s.message]
		.filter(Boolean).join(' – '), state + s.cause + s.message);
}

// For screen readers: at once when the state changes, otherwise at most every 30 seconds.
function announce(text, state) {
	clearTimeout(announcer);
	const wait = state === toldState ? toldAt + 30000 - Date.now() : 0;
	if (wait > 0) {
		announcer = setTimeout(announce, wait, text, state);
	} else if (text !== told) {
		if (told) set('status', text);
		[told, toldState, toldAt] = [text, state, Date.now()];
	}
}

// The address is requested by GET, also when this page answered a form. With a fragment, replace would only scroll.
const enter = () => location.hash ? location.reload() : location.replace(location.href);
const enterSoon = seconds => setTimeout(enter, Math.random() * seconds * 1000);

function end() {
	over = true;
	clearTimeout(timer);
	source?.close();
}

// The pass is taken at once, so that the place is safe while the visitor reads that it is their turn.
function go() {
	if (over) return;
	end();
	show({state: 'turn'});
	fetch(base + '/pass', {method: 'POST'}).catch(() => 0);
	if (audio) chime();
	if (wanted) try {
		new Notification(t.turnHeading, {body: first.title, tag: base});
	} catch {
		// Some phones allow notifications only from a service worker; the title and the sound remain.
	}
	setTimeout(enter, 2000);
}

function chime() {
	const tone = audio.createOscillator(), gain = audio.createGain(), from = audio.currentTime;
	[659, 880, 1319].forEach((pitch, i) => {
		const at = from + i * .18;
		tone.frequency.setValueAtTime(pitch, at);
		gain.gain.setValueAtTime(.25, at);
		gain.gain.exponentialRampToValueAtTime(.001, at + (i < 2 ? .17 : .8));
	});
	tone.connect(gain).connect(audio.destination);
	tone.start();
	tone.stop(from + 1.2);
}

const gone = r => [401, 404, 410].includes(r.status);
const poll = seconds => {
	clearTimeout(timer);
	timer = setTimeout(ask, jitter(seconds));
};

async function ask() {
	if (over) return;
	if (doc.hidden && !audio && !wanted) {
		paused = true;
		return;
	}
	try {
		const r = await fetch(base + '/ticket', {cache: 'no-store', signal: AbortSignal.timeout?.(15000)});
		if (over) return;
		// Before any answer, 404 says that the browser keeps no cookies: a reload would take another place.
		if (r.status === 404 && !shown.poll) return location.replace(base + '/ticket');
		if (gone(r)) return end(), enterSoon(3);
		if (!r.ok) throw r;
		const s = await r.json();
		if (s.state === 'turn') return go();
		set('note', t.liveNote);
		show(s);
		poll(live ? 90 : s.poll || first.refresh);
	} catch {
		set('note', t.lostNote);
		poll(first.refresh * 2);
	}
}

// Events are the main way; polling is the safety net, for proxies that buffer events and connections lost unnoticed.
function connect() {
	if (over || !window.EventSource) return;
	source = new EventSource(base + '/events');
	on(source, 'place', e => {
		live = true;
		errors = 0;
		set('note', t.liveNote);
		show(JSON.parse(e.data));
		poll(90);
	});
	on(source, 'turn', go);
	on(source, 'void', () => {
		end();
		enterSoon(3);
	});
	source.onerror = () => {
		if (live) poll(first.refresh);
		live = false;
		if (source.readyState === 2 || ++errors > 3) {
			source.close();
			errors = 0;
			setTimeout(connect, jitter(45));
		}
	};
}

function press(id, action) {
	const button = byId(id);
	hide(id, false);
	on(button, 'click', async () => attribute(id, 'aria-pressed', await action(button.ariaPressed !== 'true')));
}

function buttons() {
	if (window.AudioContext) press('sound', yes => {
		audio?.close();
		audio = yes ? new AudioContext() : null;
		if (yes) chime();
		return yes;
	});
	if (window.Notification && Notification.permission !== 'denied') press('notify', async yes => {
		wanted = yes && await Notification.requestPermission() === 'granted';
		return wanted;
	});
	on(byId('leave'), 'submit', async e => {
		e.preventDefault();
		try {
			const r = await fetch(base + '/ticket', {method: 'DELETE'});
			if (!r.ok && !gone(r)) throw r;
			end();
			show({state: 'left', message: null});
			byId('heading')?.focus();
		} catch {
			e.target.submit();
		}
	});
}

if (first.state === 'turn') {
	go();
} else if (first.place == null) {
	// Without a place there are no events: the page itself is reloaded.
	const again = () => doc.hidden ? doc.addEventListener('visibilitychange', again, {once: true}) : enter();
	setTimeout(again, jitter(first.refresh));
} else {
	set('note', t.liveNote);
	show(first);
	buttons();
	poll(first.refresh);
	connect();
	on(doc, 'visibilitychange', () => {
		if (!doc.hidden && paused) {
			paused = false;
			poll(Math.random());
		}
	});
}
on(window, 'pageshow', e => e.persisted && enter());
})();

// @ts-check
/**
 * Orderly in the browser, one file without dependencies:
 *
 *     import {followBatch, followJob, followRoom, live} from '/.orderly/client.js';
 *     followJob(id, job => show(job.state, job.progress));
 *     live({onMessage: message => show(message)});
 *
 * All reconnect after an outage, with pauses that grow from 1 to 30 seconds, and at once when the network returns
 * or the page becomes visible. Errors are passed to onError, never thrown.
 *
 * @typedef {object} Trouble
 * @property {string} code for programs: the last part of a problem's type such as unknown-job; or away,
 *     unauthenticated, ...
 * @property {string} text for people
 * @property {boolean} final true: no further attempt; false: another attempt follows, or only this message failed
 *
 * @typedef {string | (() => string | Promise<string>)} Token a user's token, or a function that returns one; if absent,
 *     the cookie counts
 *
 * @typedef {object} Options
 * @property {string} [base] the address of Orderly; /.orderly by default
 * @property {Token} [token]
 * @property {(trouble: Trouble) => void} [onError] the console by default
 *
 * @typedef {object} Job
 * @property {string} id
 * @property {string} queue
 * @property {'waiting' | 'delayed' | 'running' | 'done' | 'dead' | 'cancelled'} state
 * @property {boolean} ended whether the state is final
 * @property {number} attempt
 * @property {string} pushedAt
 * @property {string | null} dueAt
 * @property {string | null} endedAt
 * @property {{done: number, total: number, text: string} | null} progress
 * @property {{contentType: string, size: number, json?: any, text?: string, base64?: string} | null} result
 * @property {{ahead: number, more: boolean, seconds: {low: number, high: number} | null} | null} line only while waiting
 * @property {string | null} reason
 *
 * @typedef {object} Batch
 * @property {string} batch its name
 * @property {'open' | 'closed' | 'cancelled' | 'finished'} state
 * @property {boolean} ended whether its callback was pushed
 * @property {number} pushed members that were pushed
 * @property {number} done
 * @property {number} dead
 * @property {number} cancelled
 * @property {number} unfinished members that have not ended
 * @property {string} openedAt
 * @property {string | null} finishedAt
 * @property {string | null} callback its id, which followJob takes
 *
 * @typedef {object} Place
 * @property {'waiting' | 'door' | 'held' | 'closed' | 'turn' | 'void'} state turn: the visitor may enter; void: the
 *     ticket counts no more
 * @property {number} [place]
 * @property {number} [ahead]
 * @property {number} [progress] 0 to 1
 * @property {number | null} [low] seconds
 * @property {number | null} [high] seconds
 * @property {string} [cause]
 * @property {number} [poll] seconds
 * @property {string | null} [message] the operator's message
 *
 * @typedef {'connecting' | 'online' | 'away' | 'closed'} LiveState
 *
 * @typedef {object} LiveOptions
 * @property {(message: any) => void} [onMessage] an object or array, a string, or an ArrayBuffer
 * @property {(state: LiveState) => void} [onState]
 * @property {number} [outbox] the largest number of messages kept while away; 100 by default
 *
 * @typedef {Trouble & {pause?: number}} Failure
 */

const MOST = 64 << 10;

/** @type {Set<() => void>} pauses that end when the network returns or the page becomes visible */
const wakers = new Set();
const wake = () => document.visibilityState === 'visible' && wakers.forEach(waker => waker());
addEventListener('online', wake);
addEventListener('pageshow', wake);
document.addEventListener('visibilitychange', wake);

/** @type {(code: string, text: string, final?: boolean, pause?: number) => Failure} */
const trouble = (code, text, final = false, pause) => ({code, text, final, pause});

/** @type {(error: any, code: string) => Failure} */
const failure = (error, code) => typeof error?.final === 'boolean' ? error : trouble(code, String(error?.message ?? error));

/** Random over the whole span, so that a thousand pages do not reconnect in the same second. */
const backoff = (/** @type {number} */ fails) => 1000 + Math.random() * (Math.min(30, 2 ** fails) - 1) * 1000;

/**
 * Calls a callback of the page. Its exceptions are reported as uncaught and do not stop this script.
 *
 * @type {(f: any, x: any) => void}
 */
function call(f, x) {
	try {
		f?.(x);
	} catch (e) {
		setTimeout(() => { throw e; });
	}
}

/**
 * The tokens of a source. A refused token is not sent again.
 *
 * @param {Token | undefined} source
 */
function tokens(source) {
	/** @type {string | undefined} */ let last;
	/** @type {Failure | null} */ let refused = null;
	return {
		async next() {
			const token = typeof source === 'function' ? await source() : source;
			if (refused && token === last) throw {...refused, final: true};
			refused = null;
			return last = token;
		},
		refuse: (/** @type {Failure} */ why) => refused = why,
	};
}

/**
 * The state of a loop: rounds until the end, with pauses between them. Shared by all three functions.
 *
 * @param {Options} options
 */
function rounds(options) {
	const life = {over: false, fails: 0, stop: () => {}, wake: () => {}, tell, pause, report};
	const onError = options.onError ?? ((/** @type {Trouble} */ t) => console.warn('Orderly: ' + t.text, t));
	/** @param {Failure} t */
	function tell({code, text, final}) {
		if (!life.over) call(onError, {code, text, final});
	}
	/**
	 * Reports a failure, and waits before the next round.
	 *
	 * @param {Failure} t
	 */
	async function report(t) {
		tell(t);
		await pause(t.pause ?? backoff(++life.fails), t.pause == null);
	}
	/** @type {(ms: number, early?: boolean) => Promise<void>} */
	function pause(ms, early = true) {
		return new Promise(resolve => {
			const done = () => {
				clearTimeout(timer);
				wakers.delete(done);
				resolve();
			};
			const timer = setTimeout(done, ms);
			if (early) wakers.add(done);
			life.wake = done;
		});
	}
	return life;
}

/**
 * The problem document of a refusal.
 *
 * @param {Response} answer
 */
async function refusal(answer) {
	const body = await answer.json().catch(() => ({}));
	const code = String(body.type ?? '').split(':').pop() || 'http-' + answer.status;
	const again = answer.status > 499 || [408, 425, 429].includes(answer.status);
	const after = Number(answer.headers.get('Retry-After')) * 1000;
	return trouble(code, body.detail ?? 'The server answered ' + answer.status, !again, again && after || undefined);
}

/**
 * Reads an event stream by fetch, which unlike EventSource can send a token and read the reason of a refusal. Polls
 * where streams do not get through, such as behind a proxy that buffers them.
 *
 * @template T
 * @param {string} streamed @param {string} asked @param {Options} options
 * @param {(name: string, data: any) => {value: T, last: boolean}} read @param {(value: T) => void} onChange
 * @param {() => number} interval between polls, in milliseconds
 */
function follow(streamed, asked, options, read, onChange, interval) {
	const life = rounds(options), credential = tokens(options.token);
	let mute = 0, settle = /** @type {{resolve: (v: T) => void, reject: (t: Trouble) => void}} */ ({});
	const ended = /** @type {Promise<T>} */ (new Promise((resolve, reject) => settle = {resolve, reject}));
	ended.catch(() => {}); // onError was called already

	/** @type {(name: string, data: any) => void} */
	function take(name, data) {
		if (life.over) return;
		const {value, last} = read(name, data);
		life.fails = 0;
		call(onChange, value);
		if (last) end(() => settle.resolve(value));
	}

	function end(how = () => {}) {
		if (life.over) return;
		life.over = true;
		life.stop();
		life.wake();
		how();
	}

	/** @type {(url: string, accept: string, use: (answer: Response, alive: (ms: number) => void) => any) => Promise<any>} */
	async function get(url, accept, use) {
		const token = await credential.next(), headers = /** @type {Record<string, string>} */ ({accept});
		if (token !== undefined) headers.authorization = 'Bearer ' + token;
		if (life.over) return;
		const cut = new AbortController();
		const silent = () => cut.abort(trouble('away', 'The server stopped answering'));
		let timer = setTimeout(silent, 15_000);
		life.stop = () => cut.abort();
		try {
			const answer = await fetch(url, {headers, cache: 'no-store', signal: cut.signal});
			if (answer.ok) return await use(answer, ms => {
				clearTimeout(timer);
				timer = setTimeout(silent, ms);
			});
			if (answer.status === 410) return take('void', {state: 'void'});
			const why = await refusal(answer);
			if (answer.status !== 401) throw why;
			credential.refuse(why);
			throw {...why, final: typeof options.token !== 'function'};
		} finally {
			clearTimeout(timer);
			cut.abort();
		}
	}

	const ask = () => get(asked, 'application/json', async answer => take('', await answer.json()));

	const listen = () => get(streamed, 'text/event-stream', async (answer, alive) => {
		if (answer.status === 204 || !answer.body) return ask(); // the stream has ended: poll for the final state
		mute++;
		const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
		for (let text = '', end; ;) {
			const {done, value} = await reader.read();
			if (done) return;
			text += value.replaceAll('\r', '');
			while ((end = text.indexOf('\n\n')) >= 0) {
				let name = 'message', data = [];
				for (const line of text.slice(0, end).split('\n')) {
					if (line.startsWith('event:')) name = line.slice(6).trim();
					if (line.startsWith('data:')) data.push(line.slice(5));
				}
				text = text.slice(end + 2);
				if (data.length) take(name, JSON.parse(data.join('\n')));
				mute = data.length ? 0 : mute;
				alive(45_000); // the server sends a comment every 15 seconds
			}
		}
	});

	(async () => {
		for (let n = 1; !life.over; n++) {
			try {
				// After two streams without an event it polls; every tenth time it tries the stream again.
				const asks = mute > 1 && n % 10;
				await (asks ? ask() : listen());
				if (!life.over) await life.pause(asks ? interval() * (1 + Math.random() * .3) : backoff(1));
			} catch (e) {
				const t = failure(e, 'away');
				if (life.over) return;
				if (!t.final) await life.report(t);
				else {
					life.tell(t);
					end(() => settle.reject({code: t.code, text: t.text, final: true}));
				}
			}
		}
	})();
	return {ended, close: () => end(() => settle.reject(trouble('closed', 'This page closed it', true)))};
}

/**
 * Follows a job of this user to its end.
 *
 * @param {string} id @param {(job: Job) => void} onChange @param {Options} [options]
 * @returns {{close: () => void, ended: Promise<Job>}} ended is rejected with a Trouble after a final failure or close()
 */
export function followJob(id, onChange, options = {}) {
	const url = (options.base ?? '/.orderly') + '/jobs/' + encodeURIComponent(id);
	return follow(url, url, options, (_, job) => ({value: job, last: job.ended}), onChange, () => 3000);
}

/**
 * Follows a batch whose callback belongs to this user, until that was pushed.
 *
 * @param {string} name @param {(batch: Batch) => void} onChange at most once a second @param {Options} [options]
 * @returns {{close: () => void, ended: Promise<Batch>}} as of followJob
 */
export function followBatch(name, onChange, options = {}) {
	const url = (options.base ?? '/.orderly') + '/batches/' + encodeURIComponent(name);
	return follow(url, url, options, (_, batch) => ({value: batch, last: batch.ended}), onChange, () => 3000);
}

/**
 * Follows this visitor's place in the line of a room, until it is its turn or the ticket is void.
 *
 * @param {string} name @param {(place: Place) => void} onChange @param {Options} [options]
 * @returns {{close: () => void, ended: Promise<Place>}} as of followJob
 */
export function followRoom(name, onChange, options = {}) {
	const url = (options.base ?? '/.orderly') + '/rooms/' + encodeURIComponent(name);
	let poll = 5;
	return follow(url + '/events', url + '/ticket', options, (event, data) => {
		/** @type {Place} */
		const place = event === 'turn' || event === 'void' ? {...data, state: event} : data;
		poll = place.poll ?? poll;
		return {value: place, last: place.state === 'turn' || place.state === 'void'};
	}, onChange, () => poll * 1000);
}

/** @type {Record<number, [string, string]>} */
const CLOSES = {
	1009: ['too-large', 'A message was too large'],
	1013: ['busy', 'The user cannot be looked up just now'],
	4401: ['unauthenticated', 'The token or session is not valid, or no longer valid'],
	4408: ['silent', 'The connection was lost'],
	4429: ['too-many', 'Too many connections or messages'],
};

/**
 * A live connection to the server. The server does not store messages: those sent while this page is away are lost.
 *
 * @param {Options & LiveOptions} [options]
 */
export function live(options = {}) {
	const life = rounds(options), credential = tokens(options.token), most = options.outbox ?? 100;
	const address = new URL((options.base ?? '/.orderly') + '/live', location.href);
	address.protocol = address.protocol.replace('http', 'ws');
	/** @type {LiveState} */ let state = 'connecting';
	/** @type {WebSocket | null} */ let socket = null;
	/** @type {(string | ArrayBuffer | ArrayBufferView)[]} */ const kept = [];
	let seen = Date.now();

	const to = (/** @type {LiveState} */ next) => {
		if (state === next) return;
		state = next;
		call(options.onState, next);
	};

	/**
	 * One connection, until its end.
	 *
	 * @type {(token?: string) => Promise<{code: number, reason: string, online: boolean}>}
	 */
	const session = token => new Promise(resolve => {
		const ws = socket = new WebSocket(address);
		const end = (code = 1006, reason = '') => {
			clearTimeout(slow);
			ws.onopen = ws.onmessage = ws.onclose = null;
			ws.close(1000); // on a dead network its own close event would come minutes later, or never
			socket = null;
			resolve({code, reason, online: state === 'online'});
		};
		const slow = setTimeout(end, 15_000);
		const ready = () => {
			clearTimeout(slow);
			if (state === 'online') return;
			life.fails = 0;
			for (const message of kept.splice(0)) ws.send(/** @type {any} */ (message));
			to('online');
		};
		life.stop = end;
		ws.binaryType = 'arraybuffer';
		ws.onopen = () => token !== undefined && ws.send(JSON.stringify({token}));
		ws.onclose = e => end(e.code, e.reason);
		ws.onmessage = ({data}) => {
			const message = typeof data === 'string' ? parsed(data) : data;
			if (message?.orderly === 'ready') ready();
			else if (typeof message?.error === 'string') life.tell(trouble('message', message.error));
			else if (!message?.orderly) call(options.onMessage, message);
		};
	});

	function close() {
		if (life.over) return;
		life.over = true;
		life.stop();
		life.wake();
		clearInterval(beat);
		removeEventListener('offline', lost);
		to('closed');
	}

	const lost = () => life.stop();
	// A machine that slept has lost its connection without an event.
	const beat = setInterval(() => {
		if (Date.now() - seen > 90_000) lost();
		seen = Date.now();
	}, 15_000);
	addEventListener('offline', lost);

	(async () => {
		while (!life.over) {
			try {
				const token = await credential.next();
				if (life.over) return;
				const {code, reason, online} = await session(token);
				if (life.over) return;
				if (code === 1000) return close();
				to('away');
				const [name, text] = CLOSES[code] ?? ['away', 'The connection was lost'];
				const why = trouble(name, reason || text, false, code === 4429 ? 30_000 : undefined);
				// A cookie that was good until now may have been renewed meanwhile.
				const renewed = online && options.token === undefined;
				if (code === 4401 && !renewed) credential.refuse(why);
				if (code === 4401 && !renewed && typeof options.token !== 'function') throw {...why, final: true};
				await life.report(why);
			} catch (e) {
				const t = failure(e, 'token');
				if (!t.final) await life.report(t);
				else {
					life.tell(t);
					close();
				}
			}
		}
	})();

	return {
		get online() { return state === 'online'; },
		/**
		 * Sends a message: strings and bytes as they are, other values as JSON. While away, messages are kept and sent later.
		 *
		 * @param {any} message
		 * @returns {boolean} false if it is not sent: closed, too large (64 KiB), or too many are waiting
		 */
		send(message) {
			const raw = typeof message === 'string' || message instanceof ArrayBuffer || ArrayBuffer.isView(message);
			const data = raw ? message : JSON.stringify(message);
			const size = typeof data === 'string' ? new TextEncoder().encode(data).length : data?.byteLength ?? Infinity;
			if (size > MOST || life.over) return false;
			if (socket && state === 'online') {
				if (socket.bufferedAmount > 16 * MOST) return false;
				socket.send(data);
			} else if (kept.push(data) > most) {
				kept.pop();
				return false;
			}
			return true;
		},
		close,
	};
}

/**
 * The value of a text that is one JSON object or array, as on the server's side; otherwise the text.
 *
 * @type {(text: string) => any}
 */
function parsed(text) {
	try {
		return /^\s*[[{]/.test(text) ? JSON.parse(text) : text;
	} catch {
		return text;
	}
}

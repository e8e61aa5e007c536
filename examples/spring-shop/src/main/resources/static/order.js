// The order page, live. A message says only that an order has changed: what it looks like is made in one place, the server.
const steps = document.querySelector('#steps'), news = document.querySelector('#news');
let loading = false, changed = false;

async function refresh() {
	changed = true;
	if (loading) return;
	loading = true;
	while (changed) {
		changed = false;
		const answer = await fetch(location.href).catch(() => null);
		if (!answer?.ok) continue;
		const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
		steps.replaceChildren(...page.querySelector('#steps').childNodes);
		const text = page.querySelector('#news').textContent;
		if (news.textContent !== text) news.textContent = text; // is read out
	}
	loading = false;
}

// The browser reconnects by itself, unless the server refuses, such as while it has too much to do: then this does. Messages that
// were sent meanwhile are lost, so each "ready" loads the present state.
function connect() {
	const live = new EventSource(new URL('.orderly/live', import.meta.url));
	live.onmessage = ({data}) => {
		const message = JSON.parse(data);
		if (message.orderly === 'ready' || message.order === steps.dataset.order) refresh();
	};
	live.onerror = () => {
		if (live.readyState === EventSource.CLOSED) setTimeout(connect, 3000);
	};
}
connect();

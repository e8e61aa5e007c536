// Draws the history of a page: lines by uPlot, spreads as meters, and each chart as a table too.
(() => {
  'use strict';
  const host = document.querySelector('[data-history]');
  if (!host || !window.uPlot) return;
  const every = {hour: 60, day: 300, month: 3600}[host.dataset.range] || 60;
  const number = new Intl.NumberFormat(undefined, {notation: 'compact', maximumFractionDigits: 1});
  // The marks of an axis share the unit of its top.
  const duration = (seconds, top = seconds) => {
    if (top < 1) return `${Math.round(seconds * 1000)} ms`;
    if (top < 120) return `${+seconds.toFixed(1)} s`;
    if (top < 7200) return `${+(seconds / 60).toFixed(1)} min`;
    return top < 172800 ? `${+(seconds / 3600).toFixed(1)} h` : `${+(seconds / 86400).toFixed(1)} d`;
  };
  const write = {count: value => number.format(value), seconds: duration, percent: value => `${Math.round(value)} %`};
  const text = (unit, value, top) => value == null ? '–' : write[unit](value, top);
  // The distance of the marks of an axis that ends at one: decimal, for times those of a clock.
  const distance = (unit, high) => {
    const least = high / 4, clocks = [10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400];
    const ten = 10 ** Math.floor(Math.log10(least)), decimal = [1, 2, 5, 10].map(n => n * ten).find(n => n >= least);
    return unit === 'seconds' && decimal > 5 ? clocks.find(n => n >= least) || Math.ceil(least / 86400) * 86400 : decimal;
  };
  const time = new Intl.DateTimeFormat(undefined, {dateStyle: 'short', timeStyle: 'short'});
  const clock = new Intl.DateTimeFormat(undefined, host.dataset.range === 'month'
    ? {day: 'numeric', month: 'short'} : {hour: '2-digit', minute: '2-digit', hour12: false});
  const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const palette = () => [colour('--chart-1'), colour('--chart-2'), colour('--chart-3')];
  const plots = [];
  let shown = null;

  const element = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    made.append(...children);
    return made;
  };

  const options = (chart, width) => {
    const colours = palette();
    const grid = {stroke: colour('--line'), width: 1};
    const shown = chart.lines.flatMap(line => line.values).filter(value => value != null);
    const high = chart.unit === 'percent' ? 100 : Math.max(...shown, 0) * 1.02 || 1;
    const step = distance(chart.unit, high), top = Math.ceil(high / step) * step;
    const marks = Array.from({length: Math.round(top / step) + 1}, (_, n) => n * step);
    const axis = {stroke: colour('--soft'), grid, ticks: grid, font: '12px system-ui, sans-serif'};
    return {
      width, height: 168, padding: [10, 26, 0, 0],
      cursor: {drag: {x: false, y: false}, points: {size: 6}, sync: {key: 'history'}},
      legend: {live: true},
      scales: {y: {range: [0, top]}},
      axes: [{...axis, space: 64, values: (_, ticks) => ticks.map(at => clock.format(new Date(at * 1000)))}, {...axis, size: 62, splits: () => marks, values: (_, ticks) => ticks.map(tick => text(chart.unit, tick, top))}],
      series: [{value: (_, at) => at == null ? '–' : time.format(new Date(at * 1000))},
        ...chart.lines.map((line, n) => ({label: line.label, stroke: colours[n], width: 2, spanGaps: false,
          points: {show: line.values.filter(value => value != null).length < 3},
          fill: chart.lines.length === 1 ? colours[n] + '22' : undefined,
          dash: line.label === 'Capacity' ? [6, 4] : undefined,
          value: (_, value) => text(chart.unit, value)}))],
    };
  };

  const table = (chart, times) => {
    const head = element('tr', {}, element('th', {scope: 'col'}, 'From'),
      ...chart.lines.map(line => element('th', {scope: 'col', class: 'num'}, line.label)));
    const rows = times.map((at, n) => element('tr', {}, element('th', {scope: 'row'}, time.format(new Date(at * 1000))),
      ...chart.lines.map(line => element('td', {class: 'num'}, text(chart.unit, line.values[n])))))
      .filter((_, n) => chart.lines.some(line => line.values[n] != null)).reverse();
    return element('div', {class: 'table', role: 'region', 'aria-label': chart.title, tabindex: '0'},
      element('table', {}, element('thead', {}, head), element('tbody', {}, ...rows)));
  };

  const draw = data => {
    shown = data;
    const open = new Set([...host.querySelectorAll('details[open]')].map(each => each.dataset.title));
    plots.splice(0).forEach(plot => plot.destroy());
    host.textContent = '';
    if (data.empty) {
      host.append(element('div', {class: 'empty'}, element('p', {}, element('strong', {}, 'Nothing was recorded in this time')),
        element('p', {}, 'Figures are written once a minute, and shown when their point is over.')));
      return;
    }
    const times = data.charts[0].lines[0].values.map((_, n) => data.begin + n * data.step);
    data.charts.forEach(chart => {
      const plot = element('div', {class: 'plot', 'aria-hidden': 'true'});
      const details = element('details', {'data-title': chart.title}, element('summary', {}, 'As a table'));
      const fill = () => { if (details.open && details.children.length === 1) details.append(table(chart, times)); };
      details.addEventListener('toggle', fill);
      host.append(element('figure', {class: 'panel'}, element('figcaption', {}, chart.title), plot, details));
      details.open = open.has(chart.title);
      fill();
      const drawn = new uPlot(options(chart, plot.clientWidth || 300), [times, ...chart.lines.map(line => line.values)], plot);
      const newest = times.findLastIndex((_, n) => chart.lines.some(line => line.values[n] != null));
      const idle = () => drawn.setLegend({idx: newest});
      drawn.over.addEventListener('mouseleave', () => setTimeout(idle));
      idle();
      plots.push(drawn);
    });
    data.spreads.filter(spread => spread.total > 0).forEach(spread => {
      host.append(element('figure', {class: 'panel'}, element('figcaption', {}, spread.title),
        element('dl', {class: 'spread'}, ...spread.parts.map(part => element('div', {}, element('dt', {}, part.label),
          element('dd', {}, element('meter', {min: 0, max: spread.total, value: part.count, 'aria-label': part.label}),
            element('span', {class: 'num'}, `${Math.round(100 * part.count / spread.total)} %`)))))));
    });
  };

  const load = () => {
    if (document.hidden) return;
    fetch(host.dataset.history, {headers: {Accept: 'application/json'}})
      .then(answer => answer.ok ? answer.json() : Promise.reject(new Error(`status ${answer.status}`)))
      .then(draw).catch(() => { if (!shown) host.textContent = 'The history cannot be read now: try again in a minute.'; });
  };
  // A point is there some seconds after its end; pages do not all ask at the same moment.
  const next = () => {
    const wait = every - Date.now() / 1000 % every + 4 + Math.random() * 4;
    setTimeout(() => { load(); next(); }, wait * 1000);
  };
  const again = () => { if (shown) draw(shown); };
  document.addEventListener('orderly-theme', again);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again);
  document.addEventListener('visibilitychange', load);
  let width = host.clientWidth;
  new ResizeObserver(() => {
    if (host.clientWidth === width) return;
    width = host.clientWidth;
    plots.forEach(plot => plot.setSize({width: plot.root.parentElement.clientWidth, height: 168}));
  }).observe(host);
  load();
  next();
})();

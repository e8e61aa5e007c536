// One peer in Node, through all its runs. Each line of the input is a workload and its number; the answer is `begin`
// and `end JOBS P50 P99 MOST` (milliseconds) around what is measured, and `done` when the peer is closed again.
// Workloads and payloads are those of ContenderRuns and GroupRuns. Arguments: the peer, its server, and the
// milliseconds of window, warm-up and pause.
import { createInterface } from 'node:readline';

const [kind, server, window, warmUp, pause] = process.argv.slice(2).map((each, n) => n < 2 ? each : Number(each));
const BULK = 1000, TOGETHER = 100, CALLERS = 8, OUTSTANDING = 4000, OF_A_GROUP = 50, SCHEMA = 'bench';
const FILLING = 'x'.repeat(170);
const sleep = millis => new Promise(resolve => setTimeout(resolve, millis));
const now = () => Number(process.hrtime.bigint());
let unique = 0;
const payload = () => ({ n: ++unique, t: FILLING });
const payloads = count => Array.from({ length: count }, payload);

async function freshPool() {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({ connectionString: server, max: 20 });
  pool.on('error', console.error);
  pool.on('connect', client => client.on('error', console.error));
  await pool.query(`DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE`);
  await pool.query('CHECKPOINT');
  return pool;
}

// As its documentation advises for speed: a local queue, and endings that are stored together.
async function graphileWorker() {
  const { Logger, makeWorkerUtils, run } = await import('graphile-worker');
  const pool = await freshPool();
  const worker = { schema: SCHEMA, concurrentJobs: 24, pollInterval: 2000, maxPoolSize: 20, crontabFile: null,
    localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 };
  const logger = new Logger(() => () => {});
  const utils = await makeWorkerUtils({ pgPool: pool, schema: SCHEMA, logger });
  await utils.migrate();
  const jobs = (all, group) => all.map(each => ({ identifier: 'bench', payload: each, ...(group && { queueName: group(each) }) }));
  let runner;
  return {
    push: one => utils.addJob('bench', one),
    pushAll: (all, group) => utils.addJobs(jobs(all, group)),
    start: async handler => {
      runner = await run({ pgPool: pool, logger, noHandleSignals: true, preset: { worker }, schema: SCHEMA,
        taskList: { bench: async one => handler(one) } });
    },
    left: async () => Number((await pool.query(`SELECT count(*) FROM ${SCHEMA}._private_jobs`)).rows[0].count),
    close: async () => { await runner?.stop(); await utils.release(); await pool.end(); },
  };
}

// With LISTEN and, as its documentation advises for throughput, four workers that fetch batches without a pause.
async function pgBoss(groups) {
  const { PgBoss } = await import('pg-boss');
  const pool = await freshPool();
  const boss = new PgBoss({ connectionString: server, schema: SCHEMA, max: 20, useListenNotify: true,
    supervise: false, schedule: false });
  boss.on('error', console.error);
  await boss.start();
  await boss.createQueue('bench', { notify: true, ...(groups && { policy: 'key_strict_fifo' }) });
  return {
    push: one => boss.send('bench', one),
    pushAll: (all, group) => boss.insert('bench', all.map(data => ({ data, ...(group && { singletonKey: group(data) }) }))),
    start: handler => boss.work('bench', { batchSize: groups ? Math.max(2, groups / 4) : 500, localConcurrency: 4,
      burstWhenBatchFull: true, pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 0.5 }, async jobs => jobs.forEach(job => handler(job.data))),
    left: async () => Number((await pool.query(
      `SELECT count(*) FROM ${SCHEMA}.job WHERE state < 'completed'`)).rows[0].count),
    close: async () => { await boss.stop({ graceful: true, timeout: 5000 }); await pool.end(); },
  };
}

async function bullMq() {
  const { Queue, Worker } = await import('bullmq');
  const { hostname: host, port } = new URL(server);
  const connection = { host, port: Number(port), maxRetriesPerRequest: null };
  const queue = new Queue('bench', { connection, defaultJobOptions: { removeOnComplete: true } });
  await queue.obliterate({ force: true });
  let worker;
  return {
    push: one => queue.add('bench', one),
    pushAll: all => queue.addBulk(all.map(data => ({ name: 'bench', data }))),
    start: async handler => {
      worker = new Worker('bench', async job => handler(job.data), { connection: { ...connection }, concurrency: 100 });
      await worker.waitUntilReady();
    },
    left: async () => {
      const counts = await queue.getJobCounts('waiting', 'active', 'prioritized', 'delayed');
      return Object.values(counts).reduce((sum, each) => sum + each, 0);
    },
    close: async () => { await worker?.close(); await queue.close(); },
  };
}

const open = { GRAPHILE_WORKER: graphileWorker, PG_BOSS: pgBoss, BULLMQ: bullMq }[kind];

function end(jobs, nanos = []) {
  const sorted = nanos.sort((a, b) => a - b);
  const millis = share => sorted.length ? sorted[Math.floor((sorted.length - 1) * share)] / 1e6 : 0;
  console.log(`end ${jobs} ${millis(0.5)} ${millis(0.99)} ${millis(1)}`);
}

// The window begins when the first job has come through and the warm-up has passed.
async function load(callers, counter, call, latencies = () => []) {
  let over = false;
  const loops = Array.from({ length: callers }, async () => { while (!over) await call(); });
  for (let waited = 0; counter() === 0 && waited < 30_000; waited += 10) await sleep(10);
  await sleep(warmUp);
  const before = counter(), first = latencies().length;
  console.log('begin');
  await sleep(window);
  end(counter() - before, latencies().slice(first));
  over = true;
  await Promise.all(loops);
}

async function fill(peer, total) {
  for (let pushed = 0; pushed < total; pushed += BULK) await peer.pushAll(payloads(BULK));
}

async function drained(peer, left) {
  while (left() > 0) await sleep(1);
  while (await peer.left() > 0) await sleep(2);
}

async function steady(peer, callers, together) {
  let done = 0, room = OUTSTANDING;
  await peer.start(() => { done++; room++; });
  await load(callers, () => done, async () => {
    if (room < together) return sleep(1);
    room -= together;
    await (together === 1 ? peer.push(payload()) : peer.pushAll(payloads(together)));
  });
  while (room < OUTSTANDING) await sleep(1);
}

// Groups of 50, each bulk with one job of a group at most: neither peer keeps the order within a bulk.
async function fillGroups(peer, groups) {
  const bulk = Math.min(BULK, groups);
  for (let from = 0; from < groups * OF_A_GROUP; from += bulk) {
    const all = Array.from({ length: Math.min(bulk, groups * OF_A_GROUP - from) }, (_, n) => (
      { group: (from + n) % groups, number: Math.floor((from + n) / groups) + 1, t: FILLING }));
    await peer.pushAll(all, each => 'group ' + each.group);
  }
}

const workloads = {
  PUSH: async (peer, callers) => {
    let pushed = 0;
    const nanos = [];
    await load(callers, () => pushed, async () => {
      const start = now();
      await peer.push(payload());
      if (callers === 1) nanos.push(now() - start);
      pushed++;
    }, () => nanos);
  },
  BULK: async (peer, callers) => {
    let pushed = 0;
    await load(callers, () => pushed, async () => { await peer.pushAll(payloads(BULK)); pushed += BULK; });
  },
  DRAIN: async (peer, total) => {
    await fill(peer, total);
    let left = total;
    console.log('begin');
    await peer.start(() => left--);
    await drained(peer, () => left);
    end(total);
  },
  STEADY: peer => steady(peer, CALLERS, TOGETHER),
  LONE_STEADY: peer => steady(peer, 1, 1),
  IDLE: async (peer, pushes) => {
    const nanos = [];
    await peer.start(one => nanos.push(now() - one.at));
    console.log('begin');
    for (let n = 0; n < pushes; n++) {
      await peer.push({ at: now(), t: FILLING });
      await sleep(pause);
    }
    while (nanos.length < pushes) await sleep(1);
    end(pushes, nanos.slice(pushes / 5));
  },
  FIFO_PUSH: async (peer, groups) => {
    console.log('begin');
    await fillGroups(peer, groups);
    end(groups * OF_A_GROUP);
  },
  FIFO_RUN: async (peer, groups) => {
    await fillGroups(peer, groups);
    const last = new Array(groups).fill(0);
    let left = groups * OF_A_GROUP;
    console.log('begin');
    await peer.start(one => {
      if (last[one.group] !== one.number - 1) {
        console.error(`Job ${one.number} of group ${one.group} ran after job ${last[one.group]}`);
        process.exit(1);
      }
      last[one.group] = one.number;
      left--;
    });
    await drained(peer, () => left);
    end(groups * OF_A_GROUP);
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const [workload, number] = line.split(' ');
  const peer = await open(workload.startsWith('FIFO') ? Number(number) : 0);
  await workloads[workload](peer, Number(number));
  await peer.close();
  console.log('done');
}
process.exit(0);

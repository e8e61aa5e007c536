"""Runs Orderly under the public benchmark of PostgreSQL job queues (hardbyte/postgresql-job-queue-benchmarking), whose
phases, load, faults and measurements are used as they are. Its Docker images are not: this file registers Orderly's
adapter, and starts PostgreSQL from installed programs where the harness starts a container.

    python3 run.py HARNESS POSTGRES-BIN SCALE ADAPTER-COMMAND CASE...

SCALE multiplies the durations of all phases. Needs psycopg, matplotlib, numpy and pandas.
"""

import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

harness, programs, scale, command, *cases = sys.argv[1:]
sys.path.insert(0, harness)

import psycopg  # noqa: E402
from bench_harness import adapters, orchestrator, phases  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
# The four cases of its script run_full_sweep.sh that press rather than break, as (phases, jobs a second, handlers).
PRESSURE = {
    "idle_in_tx": (["warmup=warmup:30s", "clean_1=clean:60s", "idle_1=idle-in-tx:240s",
                    "recovery_1=clean:180s"], 800, 32),
    "sustained_high_load": (["warmup=warmup:30s", "clean_1=clean:60s", "pressure_1=high-load:240s",
                             "recovery_1=clean:120s"], 800, 32),
    "active_readers": (["warmup=warmup:30s", "clean_1=clean:60s", "readers_1=active-readers:240s",
                        "recovery_1=clean:120s"], 800, 32),
    "event_burst": (["warmup=warmup:30s", "clean_1=clean:60s", "pressure_1=high-load:300s", "recovery_1=clean:240s"],
                    1200, 64),
}
# The five that break: those that kill a replica have two of them, with half of the load each.
CHAOS = {"chaos_postgres_restart": 1, "chaos_pg_backend_kill": 1, "chaos_pool_exhaustion": 1,
         "chaos_crash_recovery": 2, "chaos_repeated_kills": 2}


class Server:
    """A PostgreSQL server with the settings of the harness, in a folder of its own."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="orderly-harness-")
        self.data = f"{self.folder}/data"
        self.run("initdb", "-D", self.data, "-U", adapters.PG_USER, "-A", "trust")

    def run(self, program, *arguments):
        # PostgreSQL refuses root: then in a namespace in which its user is another one.
        other = ["unshare", "-U"] if os.geteuid() == 0 else []
        subprocess.run([*other, f"{programs}/{program}", *arguments], check=True, stdout=subprocess.DEVNULL)

    def start(self):
        if not os.path.exists(f"{self.data}/postmaster.pid"):
            self.run("pg_ctl", "-D", self.data, "-w", "-l", f"{self.folder}/log", "-o",
                     f"-p {adapters.PG_PORT} -k {self.folder} -c config_file={harness}/postgres.conf"
                     " -c listen_addresses=localhost", "start")

    def stop(self):
        if os.path.exists(f"{self.data}/postmaster.pid"):
            self.run("pg_ctl", "-D", self.data, "-m", "fast", "-w", "stop")


server = Server()
orchestrator.start_postgres = orchestrator._compose_start_postgres = lambda image: server.start()
orchestrator._compose_stop_postgres = lambda image: server.stop()
orchestrator.stop_postgres = lambda image: None
orchestrator.capture_adapter_revision = lambda system: {}
orchestrator.SCRIPT_DIR = pathlib.Path(harness)


def launch(manifest, overrides):
    env = adapters._base_env(manifest, overrides)
    env["PRODUCER_PACING"] = "adapter"  # the harness's own pace ignores its phases of high load
    return adapters.LaunchSpec(argv=shlex.split(command), env=env)


adapters.ADAPTERS["orderly"] = orchestrator.ADAPTERS["orderly"] = adapters.AdapterEntry(
    bench_dir=HERE, builder=lambda skip: None, launcher=launch)


def left():
    """Jobs that have not ended: the harness stops the replicas under load."""
    with psycopg.connect(adapters.pg_url("orderly_bench")) as connection:
        return connection.execute("SELECT count(*) FROM orderly_store.job").fetchone()[0]


def run(case):
    specs, jobs, handlers = PRESSURE.get(case) or (phases.SCENARIOS[case], 600 // CHAOS[case], 32)
    plan = [phases.parse_phase_spec(spec) for spec in specs]
    plan = [type(each)(**{**vars(each), "duration_s": max(15, int(each.duration_s * float(scale)))}) for each in plan]
    folder = orchestrator.drive(
        systems=["orderly"], scenario=case, phases=plan, pg_image="", fast=True, skip_build=True, sample_every_s=5,
        producer_rate=jobs, producer_mode="fixed", target_depth=0, worker_count=handlers, high_load_multiplier=1.5,
        awa_completion_batch_size=None, replicas=CHAOS.get(case, 1), cli_args=sys.argv)
    summary = json.loads((folder / "summary.json").read_text())["systems"]["orderly"]["phases"]
    for label, phase in summary.items():
        done, p99 = (phase["metrics"][name]["median"] for name in ("completion_rate", "claim_p99_ms"))
        print(f"| `{case}` | {label} | {done:.0f} jobs/s | {p99:.0f} ms |", flush=True)
    print(f"| `{case}` | jobs under way at the end | {left()} | |", flush=True)


try:
    for each in cases or [*CHAOS, *PRESSURE]:
        run(each)
finally:
    server.stop()

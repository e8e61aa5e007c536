package dev.orderly.bench.postgres;

import dev.orderly.bench.contender.ContenderKind;
import dev.orderly.bench.contender.Workload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Which contenders are measured at which workloads. */
final class PeerRuns {
    /** The row of the idle queue. */
    static final String IDLE = "idle, push to start";

    private final PeerComparison comparison;
    private final boolean quick;
    private final List<ContenderKind> peers;
    private final int backlog;
    private final int pushes;

    PeerRuns(PeerComparison comparison, PostgresBench.Settings settings) {
        this.comparison = comparison;
        peers = settings.peers();
        quick = settings.quick();
        backlog = settings.backlog();
        pushes = settings.pushes();
    }

    void bulk() throws IOException {
        for (int callers : quick ? List.of(1) : List.of(1, 4)) {
            comparison.rates("push, 1,000 a call, callers: " + callers, Workload.BULK, callers, pushing());
        }
    }

    void push() throws IOException {
        for (int callers : quick ? List.of(256) : List.of(16, 256)) {
            comparison.rates("push, 1 a call, callers: " + callers, Workload.PUSH, callers, pushing());
        }
    }

    void drain() throws IOException {
        String title = "run %,d that wait".formatted(backlog);
        comparison.rates(title, Workload.DRAIN, backlog, running());
        if (!quick) {
            comparison.rates(title + ", after VACUUM ANALYZE", Workload.DRAIN_ANALYSED, backlog,
                    running().stream().filter(kind -> !kind.isInNode()).toList());
        }
    }

    void deep() throws IOException {
        comparison.rates("run out of 1,000,000 that wait", Workload.DEEP, 1_000_000,
                List.of(ContenderKind.ORDERLY, ContenderKind.ORDERLY_1000, ContenderKind.DB_SCHEDULER));
    }

    void steady() throws IOException {
        comparison.rates("push and run, 8 callers, 100 a call", Workload.STEADY, 0, running());
    }

    /** Groups that hold as many jobs together as the drain. */
    void fifo() throws IOException {
        int groups = backlog / Workload.OF_A_GROUP;
        comparison.rates("push %,d groups of 50".formatted(groups), Workload.FIFO_PUSH, groups, with(
                List.of(ContenderKind.GRAPHILE_WORKER, ContenderKind.PG_BOSS), ContenderKind.ORDERLY));
        // graphile-worker waits two seconds between two jobs of a group.
        comparison.rates("run them, each in order", Workload.FIFO_RUN, groups,
                with(List.of(ContenderKind.PG_BOSS), ContenderKind.ORDERLY, ContenderKind.ORDERLY_1000));
    }

    void lone() throws IOException {
        List<ContenderKind> kinds = new ArrayList<>(pushing());
        kinds.add(ContenderKind.BARE_INSERT);
        comparison.rates("push, 1 a call, callers: 1", Workload.PUSH, 1, kinds);
    }

    void loneSteady() throws IOException {
        List<ContenderKind> kinds = new ArrayList<>(running());
        kinds.remove(ContenderKind.ORDERLY_1000);
        kinds.add(ContenderKind.BARE_INSERT);
        comparison.rates("push and run, 1 caller, 1 a call", Workload.LONE_STEADY, 0, kinds);
    }

    void idle() throws IOException {
        List<ContenderKind> kinds = new ArrayList<>(running());
        kinds.remove(ContenderKind.ORDERLY_1000);
        kinds.add(ContenderKind.BARE_INSERT);
        comparison.latencies(IDLE, Workload.IDLE, pushes, kinds);
    }

    /** Orderly with those of the peers that are measured here. */
    private List<ContenderKind> with(List<ContenderKind> some, ContenderKind... ours) {
        return Stream.concat(Stream.of(ours), some.stream().filter(peers::contains)).toList();
    }

    /** Contenders of runs without handlers, whose number makes no difference there. */
    private List<ContenderKind> pushing() {
        List<ContenderKind> kinds = new ArrayList<>(peers);
        kinds.addFirst(ContenderKind.ORDERLY);
        return kinds;
    }

    /** In the quick mode without JobRunr, whose poll of five seconds is longer than the run. */
    private List<ContenderKind> running() {
        List<ContenderKind> kinds = new ArrayList<>(List.of(ContenderKind.ORDERLY, ContenderKind.ORDERLY_1000));
        kinds.addAll(peers);
        if (quick) {
            kinds.remove(ContenderKind.JOBRUNR);
        }
        return kinds;
    }
}

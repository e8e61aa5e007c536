package dev.orderly.bench.postgres;

import dev.orderly.bench.contender.ContenderKind;
import dev.orderly.bench.contender.Workload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Which contenders are measured at which workloads. */
final class PeerRuns {
    /** The row of the idle queue. */
    static final String IDLE = "idle, push to start";

    private final PeerComparison comparison;
    private final boolean quick;
    private final int backlog;
    private final int pushes;

    PeerRuns(PeerComparison comparison, PostgresBench.Settings settings) {
        this.comparison = comparison;
        quick = settings.quick();
        backlog = settings.backlog();
        pushes = settings.pushes();
    }

    /** Callers that push, and do nothing else. */
    void push() throws IOException {
        comparison.rates("push, 1 caller", Workload.PUSH, 1, with(ContenderKind.BARE_INSERT, ContenderKind.DB_SCHEDULER,
                ContenderKind.JOBRUNR, ContenderKind.TRANSACTION_OUTBOX));
        for (int callers : quick ? List.of(256) : List.of(16, 256)) {
            comparison.rates("push, " + callers + " callers", Workload.PUSH, callers,
                    with(ContenderKind.DB_SCHEDULER, ContenderKind.JOBRUNR, ContenderKind.TRANSACTION_OUTBOX));
        }
    }

    void bulk() throws IOException {
        for (int callers : quick ? List.of(1) : List.of(1, 4)) {
            comparison.rates("push, 1,000 a call, callers: " + callers, Workload.BULK, callers,
                    with(ContenderKind.DB_SCHEDULER, ContenderKind.JOBRUNR, ContenderKind.TRANSACTION_OUTBOX));
        }
    }

    void drain() throws IOException {
        String title = "run %,d that wait".formatted(backlog);
        comparison.rates(title, Workload.DRAIN, backlog, ContenderKind.QUEUES);
        if (!quick) {
            comparison.rates(title + ", after VACUUM ANALYZE", Workload.DRAIN_ANALYSED, backlog,
                    ContenderKind.QUEUES);
        }
    }

    void deep() throws IOException {
        comparison.rates("run out of 1,000,000 that wait", Workload.DEEP, 1_000_000,
                with(ContenderKind.ORDERLY_1000, ContenderKind.DB_SCHEDULER));
    }

    void steady() throws IOException {
        comparison.rates("push and run, 8 callers, 100 a call", Workload.STEADY, 0, queues());
    }

    void singles() throws IOException {
        comparison.rates("push and run, 1 caller, 1 a call", Workload.SINGLES, 0, queues());
    }

    void idle() throws IOException {
        List<ContenderKind> kinds = new ArrayList<>(queues());
        kinds.remove(ContenderKind.ORDERLY_1000);
        kinds.add(ContenderKind.BARE_INSERT);
        comparison.latencies(IDLE, Workload.IDLE, pushes, kinds);
    }

    /** In the quick mode without JobRunr, whose poll of five seconds is longer than the run. */
    private List<ContenderKind> queues() {
        List<ContenderKind> kinds = new ArrayList<>(ContenderKind.QUEUES);
        if (quick) {
            kinds.remove(ContenderKind.JOBRUNR);
        }
        return kinds;
    }

    private static List<ContenderKind> with(ContenderKind... others) {
        List<ContenderKind> kinds = new ArrayList<>(List.of(ContenderKind.ORDERLY));
        kinds.addAll(List.of(others));
        return kinds;
    }

    void fifo() throws IOException {
        comparison.rates("push 1,000 groups of 50", Workload.FIFO_PUSH, 1_000, with());
        comparison.rates("run them in order", Workload.FIFO_RUN, 1_000, with(ContenderKind.ORDERLY_1000));
    }
}

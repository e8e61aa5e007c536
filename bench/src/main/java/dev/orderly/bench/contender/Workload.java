package dev.orderly.bench.contender;

import dev.orderly.bench.measure.Database;
import dev.orderly.bench.measure.Figure;
import dev.orderly.bench.measure.Pace;

/** What contenders are measured at. Each has one number. */
public enum Workload {
    /** So many callers push one job each. */
    PUSH,
    /** So many callers push 1,000 jobs a call. */
    BULK,
    /** So many jobs were pushed before the first is claimed, into tables never analysed. */
    DRAIN,
    /** The same after VACUUM ANALYZE. */
    DRAIN_ANALYSED,
    /** So many jobs wait, more than can run in the window. */
    DEEP,
    /** Callers push 100 jobs a call while jobs run; the number is ignored. */
    STEADY,
    /** One caller pushes one job at a time while jobs run; the number is ignored. */
    LONE_STEADY,
    /** So many pushes to an idle queue. */
    IDLE,
    /** So many groups of 50 jobs are pushed. */
    FIFO_PUSH,
    /** So many groups of 50 jobs run. */
    FIFO_RUN;

    /** Jobs of a group. */
    public static final int OF_A_GROUP = 50;

    Figure run(Contender contender, Database database, Pace pace, int number) throws Exception {
        ContenderRuns runs = new ContenderRuns(database, pace);
        return switch (this) {
            case PUSH -> runs.push(contender, number);
            case BULK -> runs.bulk(contender, number);
            case DRAIN -> runs.drain(contender, number, false);
            case DRAIN_ANALYSED -> runs.drain(contender, number, true);
            case DEEP -> runs.deep(contender, number);
            case STEADY -> runs.steady(contender);
            case LONE_STEADY -> runs.loneSteady(contender);
            case IDLE -> runs.idle(contender, number);
            case FIFO_PUSH -> new GroupRuns(database, number, OF_A_GROUP).push((OrderlyJobs) contender);
            case FIFO_RUN -> new GroupRuns(database, number, OF_A_GROUP).drain((OrderlyJobs) contender, 0, false);
        };
    }
}

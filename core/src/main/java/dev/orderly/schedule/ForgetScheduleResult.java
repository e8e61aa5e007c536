package dev.orderly.schedule;

import dev.orderly.job.NodeId;
import java.util.Objects;

/** The answer to a request to forget a schedule that is gone. */
public sealed interface ForgetScheduleResult {
    ScheduleName schedule();

    /** Its state is deleted, and it fires no more; the jobs that it pushed stay. */
    record Forgotten(ScheduleName schedule) implements ForgetScheduleResult {
        public Forgotten {
            Objects.requireNonNull(schedule, "schedule");
        }
    }

    /** The store knows no schedule of this name. */
    record Unknown(ScheduleName schedule) implements ForgetScheduleResult {
        public Unknown {
            Objects.requireNonNull(schedule, "schedule");
        }
    }

    /** Refused, nothing changed: a live node declares the schedule. */
    record StillDeclared(ScheduleName schedule, NodeId node) implements ForgetScheduleResult {
        public StillDeclared {
            Objects.requireNonNull(schedule, "schedule");
            Objects.requireNonNull(node, "node");
        }

        /** The reason and the remedy, for an operator. */
        public String text() {
            return "Schedule " + schedule + " is not forgotten. The live node " + node
                    + " declares it: take it out of the node's configuration or program, and start it again";
        }
    }
}

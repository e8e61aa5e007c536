package dev.orderly.operate;

import dev.orderly.Orderly;
import dev.orderly.job.BatchName;
import dev.orderly.job.BatchRefusedException;
import dev.orderly.job.BatchView;
import dev.orderly.job.JobId;
import dev.orderly.job.JobView;
import dev.orderly.job.LimitName;
import dev.orderly.job.QueueName;
import dev.orderly.job.bulk.BulkStatus;
import dev.orderly.job.engine.QueueStatus;
import dev.orderly.job.store.KeyView;
import dev.orderly.job.store.LimitView;
import dev.orderly.node.NodeStatus;
import dev.orderly.operate.OperationRefusedException.Reason;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.ScheduleView;
import java.util.UUID;
import java.util.function.Function;

/**
 * What operations change, found by the texts of requests. Each method blocks, and refuses a text that names nothing.
 */
public final class Targets {
    private static final int SHOWN_MAX = 64;

    private final Orderly orderly;
    private final RoomEngine rooms;

    public Targets(Orderly orderly, RoomEngine rooms) {
        this.orderly = orderly;
        this.rooms = rooms;
    }

    public Orderly orderly() {
        return orderly;
    }

    public RoomEngine rooms() {
        return rooms;
    }

    /** A queue that is declared here or holds jobs. */
    public QueueStatus queue(String text) {
        QueueName name = parsed(text, QueueName::new, Reason.UNKNOWN_QUEUE);
        return orderly.jobs().queues().stream().filter(status -> status.view().queue().equals(name)).findFirst()
                .orElseThrow(() -> unknownQueue(name));
    }

    /** The name of a queue; that of one that is declared here needs no store trip. */
    public QueueName queueName(String text) {
        QueueName name = parsed(text, QueueName::new, Reason.UNKNOWN_QUEUE);
        return orderly.jobs().options(name).isPresent() ? name : queue(text).view().queue();
    }

    static OperationRefusedException unknownQueue(QueueName name) {
        return new OperationRefusedException(Reason.UNKNOWN_QUEUE, "Queue " + name
                + " does not exist: declare it first, or find the right name in the list of queues");
    }

    /** A limit that some queue has. */
    public LimitView limit(String text) {
        LimitName name = parsed(text, LimitName::new, Reason.UNKNOWN_LIMIT);
        return orderly.jobs().limits().stream().filter(limit -> limit.name().equals(name)).findFirst()
                .orElseThrow(() -> new OperationRefusedException(Reason.UNKNOWN_LIMIT, "No queue has limit " + name
                        + ": declare it, or find the right name in the list of limits"));
    }

    /** A key of a queue, or a group of a FIFO queue, with jobs or without. */
    public KeyView key(QueueName queue, String text) {
        try {
            return orderly.jobs().key(queue, text);
        } catch (IllegalArgumentException e) {
            throw OperationRefusedException.bounds(e);
        }
    }

    /** A batch that is kept. */
    public BatchView batch(String text) {
        try {
            return orderly.engines().jobs().batches().require(batchName(text));
        } catch (BatchRefusedException e) {
            throw BatchControl.refused(e);
        }
    }

    /** The name of a batch that exists or not. */
    public BatchName batchName(String text) {
        return batchName(text, Reason.UNKNOWN_BATCH);
    }

    static BatchName batchName(String text, Reason otherwise) {
        return parsed(text, BatchName::new, otherwise);
    }

    public JobView job(String text) {
        return orderly.jobs().find(jobId(text)).orElseThrow(() -> unknownJob(text));
    }

    /** The id of a job that exists or not. */
    public JobId jobId(String text) {
        try {
            return JobId.parse(text);
        } catch (IllegalArgumentException _) {
            throw unknownJob(text);
        }
    }

    /** A room that is declared here. */
    public Room room(String text) {
        RoomName name = parsed(text, RoomName::new, Reason.UNKNOWN_ROOM);
        return rooms.find(name).orElseThrow(() -> unknownRoom("Room " + name + " is not declared here"));
    }

    /** The state of a room of the store, declared here or not. */
    public RoomState roomState(String text) {
        RoomName name = parsed(text, RoomName::new, Reason.UNKNOWN_ROOM);
        return rooms.states().stream().filter(state -> state.room().equals(name)).findFirst()
                .orElseThrow(() -> unknownRoom("Room " + name + " does not exist"));
    }

    private static OperationRefusedException unknownRoom(String what) {
        return new OperationRefusedException(Reason.UNKNOWN_ROOM,
                what + ": declare it in the configuration, or find the right name in the list of rooms");
    }

    /** A schedule that is declared here. */
    public ScheduleView schedule(String text) {
        ScheduleName name = scheduleName(text);
        return orderly.schedules().view(name).orElseThrow(() -> unknownSchedule(name));
    }

    static ScheduleName scheduleName(String text) {
        return parsed(text, ScheduleName::new, Reason.UNKNOWN_SCHEDULE);
    }

    static OperationRefusedException unknownSchedule(ScheduleName name) {
        return new OperationRefusedException(Reason.UNKNOWN_SCHEDULE,
                "Schedule " + name + " is not declared here: declare it"
                        + " in the configuration, or find the right name in the list of schedules");
    }

    public NodeStatus node(String text) {
        return orderly.nodes().stream().filter(node -> node.report().node().value().equals(text)).findFirst()
                .orElseThrow(() -> unknownNode(text));
    }

    static OperationRefusedException unknownNode(String text) {
        return new OperationRefusedException(Reason.UNKNOWN_NODE,
                "Node " + text + " is not known here: it may have stopped"
                        + " meanwhile; find the right name in the list of nodes");
    }

    /** A bulk operation of this node. */
    public BulkStatus bulk(String text) {
        try {
            return orderly.engines().bulk().find(UUID.fromString(text)).orElseThrow(() -> unknownBulk(text));
        } catch (IllegalArgumentException _) {
            throw unknownBulk(text);
        }
    }

    static OperationRefusedException unknownBulk(String text) {
        return new OperationRefusedException(Reason.UNKNOWN_OPERATION, "Bulk operation " + shortened(text)
                + " does not run on"
                + " this node and did not lately: ask the node that started it, or find its begin and end in the audit"
                + " log");
    }

    static OperationRefusedException unknownJob(String text) {
        return new OperationRefusedException(Reason.UNKNOWN_JOB, "Job " + shortened(text)
                + " does not exist or is no longer"
                + " kept: check the id, a UUIDv7 that the push returned, and how long ended jobs are kept (keep.done,"
                + " keep.dead)");
    }

    static String shortened(String text) {
        return text.length() <= SHOWN_MAX ? text : text.substring(0, SHOWN_MAX) + "...";
    }

    private static <N> N parsed(String text, Function<String, N> parser, Reason unknown) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            throw new OperationRefusedException(unknown, String.valueOf(e.getMessage()));
        }
    }
}

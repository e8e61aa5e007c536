package dev.orderly.operate;

import static dev.orderly.access.Role.ADMIN;
import static dev.orderly.access.Role.OPERATOR;
import static dev.orderly.access.Role.VIEWER;
import static dev.orderly.operate.OperationRefused.Reason.BACKUP_REFUSED;
import static dev.orderly.operate.OperationRefused.Reason.BOUNDS;
import static dev.orderly.operate.OperationRefused.Reason.BULK_REFUSED;
import static dev.orderly.operate.OperationRefused.Reason.CONFIG_INVALID;
import static dev.orderly.operate.OperationRefused.Reason.JOB_ENDED;
import static dev.orderly.operate.OperationRefused.Reason.NOT_DEAD;
import static dev.orderly.operate.OperationRefused.Reason.NOT_DELAYED;
import static dev.orderly.operate.OperationRefused.Reason.QUEUE_IN_USE;
import static dev.orderly.operate.OperationRefused.Reason.RUN_UNDER_WAY;
import static dev.orderly.operate.OperationRefused.Reason.SCHEDULE_DECLARED;
import static dev.orderly.operate.OperationRefused.Reason.TOKEN_EXISTS;
import static dev.orderly.operate.OperationRefused.Reason.TOO_MANY_TOKENS;
import static dev.orderly.operate.OperationRefused.Reason.UNKNOWN_JOB;
import static dev.orderly.operate.OperationRefused.Reason.UNKNOWN_NODE;
import static dev.orderly.operate.OperationRefused.Reason.UNKNOWN_OPERATION;
import static dev.orderly.operate.OperationRefused.Reason.UNKNOWN_QUEUE;
import static dev.orderly.operate.OperationRefused.Reason.UNKNOWN_ROOM;
import static dev.orderly.operate.OperationRefused.Reason.UNKNOWN_SCHEDULE;
import static dev.orderly.operate.OperationRefused.Reason.UNKNOWN_TOKEN;

import dev.orderly.access.Role;
import dev.orderly.operate.OperationRefused.Reason;
import java.util.List;

/** The table of operations: everything that changes the system by the hand of an operator, one line each. */
public enum OperationSpec {
    PAUSE("pause", "POST", "/queues/{queue}/pause", OPERATOR, "Pause a queue on all nodes", UNKNOWN_QUEUE),
    RESUME("resume", "POST", "/queues/{queue}/resume", OPERATOR, "Resume a queue on all nodes",
            UNKNOWN_QUEUE),
    REDRIVE("redrive", "POST", "/queues/{queue}/redrive", OPERATOR, "Redrive dead letters", UNKNOWN_QUEUE,
            BOUNDS),
    SET_QUEUE("queueSettings", "PATCH", "/queues/{queue}", OPERATOR, "Change settings of a queue",
            UNKNOWN_QUEUE, BOUNDS),
    FORGET_QUEUE("forgetQueue", "DELETE", "/queues/{queue}", OPERATOR, "Forget a queue that is gone",
            UNKNOWN_QUEUE, QUEUE_IN_USE),
    CANCEL("cancel", "DELETE", "/jobs/{id}", OPERATOR, "Cancel a job", UNKNOWN_JOB, JOB_ENDED),
    RUN_NOW("runNow", "POST", "/jobs/{id}/run-now", OPERATOR, "Make a delayed job due at once", UNKNOWN_JOB,
            NOT_DELAYED),
    REDRIVE_JOB("redriveJob", "POST", "/jobs/{id}/redrive", OPERATOR, "Let a dead letter wait again",
            UNKNOWN_JOB, NOT_DEAD),
    PUSH_AGAIN("pushAgain", "POST", "/jobs/{id}/push-again", OPERATOR,
            "Push the content of a dead letter as a new job", UNKNOWN_JOB, NOT_DEAD, BOUNDS),
    REVEAL("reveal", "POST", "/jobs/{id}/reveal", OPERATOR, "One job, with the values that are masked elsewhere",
            UNKNOWN_JOB),
    /** Of a person, who sees masked values; what workers claim is in no audit log. */
    CLAIM("claim", "POST", "/queues/{queue}/claims", OPERATOR, "Claim jobs for a worker", UNKNOWN_QUEUE),
    BULK("bulk", "POST", "/bulk", OPERATOR, "Redrive or cancel many jobs", BULK_REFUSED),
    STOP_BULK("stopBulk", "DELETE", "/bulk/{operation}", OPERATOR, "Stop a bulk operation",
            UNKNOWN_OPERATION),
    LIMIT_ROOM("limitRoom", "PATCH", "/rooms/{room}", OPERATOR, "Override the configured limits",
            UNKNOWN_ROOM, BOUNDS),
    ADMIT("admit", "POST", "/rooms/{room}/admit", OPERATOR, "Admit the next visitors", UNKNOWN_ROOM,
            BOUNDS),
    ROOM_MODE("roomMode", "POST", "/rooms/{room}/mode", OPERATOR, "Set the mode", UNKNOWN_ROOM),
    ROOM_MESSAGE("roomMessage", "POST", "/rooms/{room}/message", OPERATOR, "Set the message on the waiting page",
            UNKNOWN_ROOM, BOUNDS),
    ROOM_EPOCH("roomEpoch", "POST", "/rooms/{room}/epoch", OPERATOR, "Begin a new epoch", UNKNOWN_ROOM),
    REVOKE_VISITOR("revokeVisitor", "POST", "/rooms/{room}/revoke", OPERATOR,
            "Revoke the pass or ticket of one visitor", UNKNOWN_ROOM),
    RUN_SCHEDULE("runSchedule", "POST", "/schedules/{schedule}/run", OPERATOR, "Push the job of a schedule now",
            UNKNOWN_SCHEDULE, RUN_UNDER_WAY),
    PAUSE_SCHEDULE("pauseSchedule", "POST", "/schedules/{schedule}/pause", OPERATOR, "Pause a schedule",
            UNKNOWN_SCHEDULE),
    RESUME_SCHEDULE("resumeSchedule", "POST", "/schedules/{schedule}/resume", OPERATOR, "Resume a schedule",
            UNKNOWN_SCHEDULE),
    FORGET_SCHEDULE("forgetSchedule", "DELETE", "/schedules/{schedule}", OPERATOR,
            "Forget a schedule that is gone", UNKNOWN_SCHEDULE, SCHEDULE_DECLARED),
    DRAIN_NODE("drainNode", "POST", "/nodes/{node}/drain", OPERATOR, "Drain a node", UNKNOWN_NODE),
    RESUME_NODE("resumeNode", "POST", "/nodes/{node}/resume", OPERATOR, "Resume a drained node",
            UNKNOWN_NODE),
    CREATE_TOKEN("createToken", "POST", "/tokens", ADMIN, "Create an access token", TOKEN_EXISTS,
            TOO_MANY_TOKENS),
    REVOKE_TOKEN("revokeToken", "DELETE", "/tokens/{name}", ADMIN, "Revoke an access token and its sessions",
            UNKNOWN_TOKEN),
    CREATE_LOGIN_LINK("createLoginLink", "POST", "/login-links", VIEWER,
            "A link that signs one browser in, once, as the caller"),
    BEGIN_BACKUP("beginBackup", "POST", "/store/backup", ADMIN, "Begin a backup of the store",
            BACKUP_REFUSED),
    RELOAD_CONFIG("reloadConfig", "POST", "/config/reload", ADMIN, "Read the configuration again",
            CONFIG_INVALID);

    private final String id;
    private final String method;
    private final String path;
    private final Role least;
    private final String sentence;
    private final List<Reason> refusals;

    OperationSpec(String id, String method, String path, Role least, String sentence, Reason... refusals) {
        this.id = id;
        this.method = method;
        this.path = path;
        this.least = least;
        this.sentence = sentence;
        this.refusals = List.of(refusals);
    }

    /** The id in the OpenAPI document and in the audit log. */
    public String id() {
        return id;
    }

    /** The method of the API. */
    public String method() {
        return method;
    }

    /** The path below the base of the API. */
    public String path() {
        return path;
    }

    /** The least role that the operation needs. */
    public Role least() {
        return least;
    }

    /** What the operation does, without a full stop. */
    public String sentence() {
        return sentence;
    }

    /** Why it may be refused although the role allows it and the request can be read. */
    public List<Reason> refusals() {
        return refusals;
    }
}

package dev.orderly.operate;

import static dev.orderly.access.Role.ADMIN;
import static dev.orderly.access.Role.OPERATOR;
import static dev.orderly.access.Role.VIEWER;
import static dev.orderly.operate.OperationRefusedException.Reason.BACKUP_REFUSED;
import static dev.orderly.operate.OperationRefusedException.Reason.BATCH_CLOSED;
import static dev.orderly.operate.OperationRefusedException.Reason.BOUNDS;
import static dev.orderly.operate.OperationRefusedException.Reason.BULK_REFUSED;
import static dev.orderly.operate.OperationRefusedException.Reason.CONFIG_INVALID;
import static dev.orderly.operate.OperationRefusedException.Reason.EVENT_GONE;
import static dev.orderly.operate.OperationRefusedException.Reason.JOB_ENDED;
import static dev.orderly.operate.OperationRefusedException.Reason.NOT_DEAD;
import static dev.orderly.operate.OperationRefusedException.Reason.NOT_DELAYED;
import static dev.orderly.operate.OperationRefusedException.Reason.OPENING_CHANGED;
import static dev.orderly.operate.OperationRefusedException.Reason.QUEUE_IN_USE;
import static dev.orderly.operate.OperationRefusedException.Reason.RUN_UNDER_WAY;
import static dev.orderly.operate.OperationRefusedException.Reason.SCHEDULE_DECLARED;
import static dev.orderly.operate.OperationRefusedException.Reason.TOKEN_EXISTS;
import static dev.orderly.operate.OperationRefusedException.Reason.TOO_MANY_TOKENS;
import static dev.orderly.operate.OperationRefusedException.Reason.UNKNOWN_BATCH;
import static dev.orderly.operate.OperationRefusedException.Reason.UNKNOWN_JOB;
import static dev.orderly.operate.OperationRefusedException.Reason.UNKNOWN_LIMIT;
import static dev.orderly.operate.OperationRefusedException.Reason.UNKNOWN_NODE;
import static dev.orderly.operate.OperationRefusedException.Reason.UNKNOWN_OPERATION;
import static dev.orderly.operate.OperationRefusedException.Reason.UNKNOWN_QUEUE;
import static dev.orderly.operate.OperationRefusedException.Reason.UNKNOWN_ROOM;
import static dev.orderly.operate.OperationRefusedException.Reason.UNKNOWN_SCHEDULE;
import static dev.orderly.operate.OperationRefusedException.Reason.UNKNOWN_TOKEN;

import dev.orderly.access.Role;
import dev.orderly.operate.OperationRefusedException.Reason;
import java.util.List;

/** The table of operations: everything that changes the system by the hand of an operator. */
public enum OperationSpec {
    PAUSE("pause", "POST", "/queues/{queue}/pause", OPERATOR, "Pause a queue on all nodes",
            "No job starts; running jobs go on, and pushes are accepted.", UNKNOWN_QUEUE),
    RESUME("resume", "POST", "/queues/{queue}/resume", OPERATOR, "Resume a queue on all nodes",
            "", UNKNOWN_QUEUE),
    REDRIVE("redrive", "POST", "/queues/{queue}/redrive", OPERATOR, "Redrive dead letters",
            "Dead letters wait again, oldest first, at their old position and without their failures.", UNKNOWN_QUEUE,
            BOUNDS),
    SET_QUEUE("queueSettings", "PATCH", "/queues/{queue}", OPERATOR, "Change settings of a queue",
            "On all nodes within seconds, without a restart, until they are reset. An absent member stays as"
                    + " it is; null restores the configured value. Running jobs are neither interrupted nor lost: with"
                    + " fewer handlers the running ones finish, and no job starts until enough have.",
            UNKNOWN_QUEUE, BOUNDS),
    SET_LIMIT("limitSettings", "PATCH", "/limits/{limit}", OPERATOR, "Change the bounds of a limit",
            "On all nodes within seconds, in place of what they declare, until they are reset. An absent member stays"
                    + " as it is; null restores the declared bound; `starts` and `period` go together. Nothing that"
                    + " runs is stopped: with a lower bound new starts wait.",
            UNKNOWN_LIMIT, BOUNDS),
    PAUSE_KEY("pauseKey", "POST", "/queues/{queue}/keys/{key}/pause", OPERATOR,
            "Pause a key of a queue, or a group of a FIFO queue, on all nodes",
            "From the next claim on no job of it starts; what is claimed goes on, and pushes are accepted.",
            UNKNOWN_QUEUE, BOUNDS),
    RESUME_KEY("resumeKey", "POST", "/queues/{queue}/keys/{key}/resume", OPERATOR,
            "Resume a key of a queue, or a group of a FIFO queue, on all nodes",
            "", UNKNOWN_QUEUE, BOUNDS),
    SET_KEY("keySettings", "PATCH", "/queues/{queue}/keys/{key}", OPERATOR, "Change the bounds of a key of a queue",
            "On all nodes, from the next claim on, in place of those that each key has, until they are reset. An absent"
                    + " member stays as it is; null restores the bound of each key; `starts` and `period` go together."
                    + " Nothing that runs is stopped: with a lower bound new starts wait. Groups have no bounds.",
            UNKNOWN_QUEUE, BOUNDS),
    FORGET_QUEUE("forgetQueue", "DELETE", "/queues/{queue}", OPERATOR, "Forget a queue that is gone",
            "Its pause and the settings of operators end, and no list names it any more. Its ended jobs, its"
                    + " history and its keys stay for as long as they are kept anyway. Refused while it holds jobs that"
                    + " have not ended or are dead letters, or while a live node declares it; a push makes it exist"
                    + " again.",
            UNKNOWN_QUEUE, QUEUE_IN_USE),
    CANCEL("cancel", "DELETE", "/jobs/{id}", OPERATOR, "Cancel a job",
            "A job that waits never runs, one that runs gets its cancellation signal.", UNKNOWN_JOB, JOB_ENDED),
    SEND_EVENT("sendEvent", "POST", "/jobs/{id}/events/{event}", OPERATOR, "Send an event to a job",
            "The first event of a name counts, also if it comes before the job asks for it; a repeated one changes"
                    + " nothing. A job that waits for it is due at once.",
            UNKNOWN_JOB, EVENT_GONE, BOUNDS),
    RUN_NOW("runNow", "POST", "/jobs/{id}/run-now", OPERATOR, "Make a delayed job due at once",
            "Also a job that waits for its retry. Failures stay counted; order, priorities and pauses count"
                    + " as before.",
            UNKNOWN_JOB, NOT_DELAYED),
    REDRIVE_JOB("redriveJob", "POST", "/jobs/{id}/redrive", OPERATOR, "Let a dead letter wait again",
            "The job runs at its old position, with its failures reset. Of several at once: the operation"
                    + " redrive of the queue.",
            UNKNOWN_JOB, NOT_DEAD),
    PUSH_AGAIN("pushAgain", "POST", "/jobs/{id}/push-again", OPERATOR, "Push the content of a dead letter as a new job",
            "The new job has the params, user, group and priority of the dead letter, which stays, and names it as"
                    + " its origin. Its payload is that of the dead letter, or the one of this request. A repeated"
                    + " request within five minutes is the same push. A payload with the mask in place of a hidden"
                    + " value is refused.",
            UNKNOWN_JOB, NOT_DEAD, BOUNDS),
    REVEAL("reveal", "POST", "/jobs/{id}/reveal", OPERATOR, "One job, with the values that are masked elsewhere",
            "An entry in the audit log says who did it.", UNKNOWN_JOB),
    /** Of a person, who sees masked values; what workers claim is in no audit log. */
    CLAIM("claim", "POST", "/queues/{queue}/claims", OPERATOR, "Claim jobs for a worker",
            "Waits for the first job at most for `wait`. No other worker gets these jobs until they are reported or"
                    + " their lease ends, which counts as a failed attempt. Jobs whose answer does not reach the"
                    + " client are given back. A claim by an identity that is no worker has an entry in the audit"
                    + " log for each job, since it shows payloads without masks.",
            UNKNOWN_QUEUE),
    OPEN_BATCH("openBatch", "POST", "/batches", OPERATOR, "Open a batch with its callback",
            "Jobs that are pushed with its name are its members; the callback is pushed once, when the batch is closed"
                    + " and all of them have ended. An open batch of the name with the same callback is the answer.",
            BATCH_CLOSED, UNKNOWN_QUEUE, BOUNDS),
    CLOSE_BATCH("closeBatch", "POST", "/batches/{batch}/close", OPERATOR, "Close a batch",
            "From then on only its running members push further ones. Of a batch without members the callback comes at"
                    + " once.",
            UNKNOWN_BATCH),
    CANCEL_BATCH("cancelBatch", "POST", "/batches/{batch}/cancel", OPERATOR, "Cancel a batch",
            "It takes no further members, those that wait are cancelled by and by, and those that run are asked to end."
                    + " The callback comes when all have ended. A finished batch stays as it is.",
            UNKNOWN_BATCH),
    BULK("bulk", "POST", "/bulk", OPERATOR, "Redrive or cancel many jobs",
            "Starts an operation on this node, in parts of 1,000 jobs with pauses. Jobs pushed after its"
                    + " start are left out. It ends when the node stops; the audit log has its begin and its end.",
            BULK_REFUSED),
    STOP_BULK("stopBulk", "DELETE", "/bulk/{operation}", OPERATOR, "Stop a bulk operation",
            "Stops after the part under way. Jobs that were changed stay changed.", UNKNOWN_OPERATION),
    LIMIT_ROOM("limitRoom", "PATCH", "/rooms/{room}", OPERATOR, "Override the configured limits",
            "On all nodes, until the override is removed. An absent member stays as it is; null removes the"
                    + " override.",
            UNKNOWN_ROOM, BOUNDS),
    ADMIT("admit", "POST", "/rooms/{room}/admit", OPERATOR, "Admit the next visitors",
            "The next present visitors, in order, even beyond the rate and while the room is held, but never"
                    + " beyond the capacity.",
            UNKNOWN_ROOM, BOUNDS),
    OPEN_AT("openAt", "POST", "/rooms/{room}/open-at", OPERATOR, "Move the next opening",
            "On all nodes. Visitors read the new time beside the old one. An earlier time than announced must be five"
                    + " minutes away at least. An opening that has begun stays.",
            UNKNOWN_ROOM, OPENING_CHANGED, BOUNDS),
    CANCEL_OPENING("cancelOpening", "POST", "/rooms/{room}/cancel-opening", OPERATOR, "Cancel the next opening",
            "On all nodes. Visitors read that it was cancelled, and when the next one is. Places are kept. The"
                    + " operation to move an opening does not bring it back: configure another.",
            UNKNOWN_ROOM, OPENING_CHANGED, BOUNDS),
    DRAW_VALUE("drawValue", "POST", "/rooms/{room}/draw-value", OPERATOR, "Record the value of a draw's beacon",
            "For the draw of a lobby that is over and waits for the value. It is stored once and enters the draw, which"
                    + " follows at once.",
            UNKNOWN_ROOM, OPENING_CHANGED, BOUNDS),
    ROOM_MODE("roomMode", "POST", "/rooms/{room}/mode", OPERATOR, "Set the mode",
            "", UNKNOWN_ROOM),
    ROOM_MESSAGE("roomMessage", "POST", "/rooms/{room}/message", OPERATOR, "Set the message on the waiting page",
            "", UNKNOWN_ROOM, BOUNDS),
    ROOM_EPOCH("roomEpoch", "POST", "/rooms/{room}/epoch", OPERATOR, "Begin a new epoch",
            "All tickets and passes are void; waiting visitors join again.", UNKNOWN_ROOM),
    REVOKE_VISITOR("revokeVisitor", "POST", "/rooms/{room}/revoke", OPERATOR,
            "Revoke the pass or ticket of one visitor",
            "Takes effect on all nodes within a second, also for a visitor id that is not known yet.", UNKNOWN_ROOM),
    INVITE("invite", "POST", "/rooms/{room}/invitations", OPERATOR, "Issue invitations to a tier of a room",
            "Each code gives one place in the line of the tier, once over all nodes, until it ends or the room begins a"
                    + " new epoch. The codes are in the answer only: nothing stores them, and the audit log has the"
                    + " series and the number.",
            UNKNOWN_ROOM, BOUNDS),
    REVOKE_INVITATIONS("revokeInvitations", "DELETE", "/rooms/{room}/invitations/{series}", OPERATOR,
            "Revoke the invitations of a series that gave no place yet",
            "Takes effect on all nodes within a second. Places that they gave stay.", UNKNOWN_ROOM, BOUNDS),
    RUN_SCHEDULE("runSchedule", "POST", "/schedules/{schedule}/run", OPERATOR, "Push the job of a schedule now",
            "Independent of the timing, which does not change, unless it counts from the end of each run."
                    + " Refused while the last run, scheduled or manual, has not ended.",
            UNKNOWN_SCHEDULE, RUN_UNDER_WAY),
    PAUSE_SCHEDULE("pauseSchedule", "POST", "/schedules/{schedule}/pause", OPERATOR, "Pause a schedule",
            "On all nodes: no instant fires and none is skipped until it is resumed. A run under way goes on,"
                    + " and runs by hand are possible.",
            UNKNOWN_SCHEDULE),
    RESUME_SCHEDULE("resumeSchedule", "POST", "/schedules/{schedule}/resume", OPERATOR, "Resume a schedule",
            "Instants of the pause are passed over; the next one fires. An interval after the end that was"
                    + " over begins anew.",
            UNKNOWN_SCHEDULE),
    SET_SCHEDULE("setSchedule", "PUT", "/schedules/{schedule}", OPERATOR, "Make or change a schedule",
            "The store keeps it, and every node that has its queue fires it, within seconds. Another timing begins"
                    + " anew; its pause and its last runs stay. Refused for a schedule that the configuration or a"
                    + " program declares on this node: those are changed there.",
            SCHEDULE_DECLARED, UNKNOWN_QUEUE, BOUNDS),
    FORGET_SCHEDULE("forgetSchedule", "DELETE", "/schedules/{schedule}", OPERATOR,
            "Remove a schedule that was made at run time, or forget one that is gone",
            "Its state is deleted, and it fires no more. The jobs that it pushed stay. Refused while the configuration"
                    + " or the program of a live node declares it.",
            UNKNOWN_SCHEDULE, SCHEDULE_DECLARED),
    DRAIN_NODE("drainNode", "POST", "/nodes/{node}/drain", OPERATOR, "Drain a node",
            "It claims no more jobs and gives back what it claimed ahead; its running jobs end, its edge and"
                    + " its API go on. Until it is resumed or started again.",
            UNKNOWN_NODE),
    RESUME_NODE("resumeNode", "POST", "/nodes/{node}/resume", OPERATOR, "Resume a drained node",
            "It claims jobs again.", UNKNOWN_NODE),
    CREATE_TOKEN("createToken", "POST", "/tokens", ADMIN, "Create an access token",
            "", TOKEN_EXISTS, TOO_MANY_TOKENS),
    REVOKE_TOKEN("revokeToken", "DELETE", "/tokens/{name}", ADMIN, "Revoke an access token and its sessions",
            "At once on this node, within two seconds on all others.", UNKNOWN_TOKEN),
    CREATE_LOGIN_LINK("createLoginLink", "POST", "/login-links", VIEWER,
            "A link that signs one browser in, once, as the caller",
            ""),
    BEGIN_BACKUP("beginBackup", "POST", "/store/backup", ADMIN, "Begin a backup of the store",
            "Writes the SQLite store, as it is at this moment, into a new file of the server's machine,"
                    + " readable by its owner only, and a second file beside it whose name ends in `-running`. Both"
                    + " appear when they are complete and checked. The answer comes at once; ask for the state until"
                    + " `writing` is null. Other stores are backed up by the means of their servers; `failure` then"
                    + " names them.",
            BACKUP_REFUSED),
    RELOAD_CONFIG("reloadConfig", "POST", "/config/reload", ADMIN, "Read the configuration again",
            "Reads the file, the environment and the options of the start again, and checks all of it. What"
                    + " can change while the server runs is in force at once: routes, origins, rooms with their limits"
                    + " and pages, settings of queues; new rooms, queues and schedules. A configuration that is refused"
                    + " changes nothing.",
            CONFIG_INVALID);

    private final String id;
    private final String method;
    private final String path;
    private final Role least;
    private final String sentence;
    private final String details;
    @SuppressWarnings("ImmutableEnumChecker") // List.of
    private final List<Reason> refusals;

    OperationSpec(String id, String method, String path, Role least, String sentence, String details,
            Reason... refusals) {
        this.id = id;
        this.method = method;
        this.path = path;
        this.least = least;
        this.sentence = sentence;
        this.details = details;
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

    /** Further sentences; empty for none. */
    public String details() {
        return details;
    }

    /** Why it may be refused although the role allows it and the request can be read. */
    public List<Reason> refusals() {
        return refusals;
    }
}

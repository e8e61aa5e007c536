package dev.orderly.operate;

import dev.orderly.OrderlyException;
import java.util.Map;

/**
 * An operation that is not done as asked; nothing was changed. The message names the thing, the rule and the remedy.
 */
public class OperationRefusedException extends OrderlyException {
    private static final long serialVersionUID = 1;

    private final Reason reason;
    private final transient Map<String, Object> members;

    public OperationRefusedException(Reason reason, String message) {
        this(reason, message, Map.of());
    }

    /** @param members facts for programs, such as the job of a conflict */
    public OperationRefusedException(Reason reason, String message, Map<String, Object> members) {
        super(message, false);
        this.reason = reason;
        this.members = Map.copyOf(members);
    }

    /** A refusal for a value out of its bounds, with the message of the exception that says so. */
    static OperationRefusedException bounds(IllegalArgumentException refused) {
        return new OperationRefusedException(Reason.BOUNDS, String.valueOf(refused.getMessage()));
    }

    public Reason reason() {
        return reason;
    }

    public Map<String, Object> members() {
        return members;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }

    /** The rule that was broken. */
    public enum Reason {
        ROLE(403, "The role does not allow this"),
        UNKNOWN_TOKEN(404, "There is no such token"),
        UNKNOWN_QUEUE(404, "There is no such queue"),
        UNKNOWN_ROOM(404, "There is no such room"),
        UNKNOWN_LIMIT(404, "There is no such limit"),
        UNKNOWN_SCHEDULE(404, "There is no such schedule"),
        UNKNOWN_NODE(404, "There is no such node"),
        UNKNOWN_JOB(404, "There is no such job"),
        UNKNOWN_BATCH(404, "There is no such batch"),
        UNKNOWN_OPERATION(404, "There is no such operation"),
        STALE(409, "It has changed meanwhile"),
        OPENING_CHANGED(409, "The opening has changed meanwhile"),
        JOB_ENDED(409, "The job has ended"),
        BATCH_CLOSED(409, "The batch is not open for this"),
        TOKEN_EXISTS(409, "There is a token of this name"),
        TOO_MANY_TOKENS(409, "There are too many tokens"),
        EVENT_GONE(410, "The job takes this event no more"),
        NOT_DELAYED(409, "The job is not delayed"),
        NOT_DEAD(409, "The job is no dead letter"),
        QUEUE_IN_USE(409, "The queue is in use"),
        SCHEDULE_DECLARED(409, "A live node declares the schedule"),
        RUN_UNDER_WAY(409, "A run of the schedule is under way"),
        BACKUP_REFUSED(409, "A backup cannot begin now"),
        BULK_REFUSED(409, "The operation cannot start now"),
        CONFIG_INVALID(422, "The configuration cannot be taken over"),
        BOUNDS(422, "A value is out of its bounds");

        private final int status;
        private final String title;

        Reason(int status, String title) {
            this.status = status;
            this.title = title;
        }

        /** The status of HTTP. */
        public int status() {
            return status;
        }

        /** A few words. */
        public String title() {
            return title;
        }
    }
}

package dev.orderly.http.access;

import dev.orderly.access.Identity;
import dev.orderly.access.control.AuditLog;
import dev.orderly.access.store.AuditAct;
import dev.orderly.job.QueueName;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.problem.Refusal;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The call of the API that the current thread answers: its identity, and the audit log for its changes. */
public final class ApiCall {
    static final ScopedValue<ApiCall> CURRENT = ScopedValue.newInstance();

    private final Caller caller;
    private final ApiEndpoint endpoint;
    private final AuditLog audit;
    private final AtomicBoolean recorded = new AtomicBoolean();

    ApiCall(Caller caller, ApiEndpoint endpoint, AuditLog audit) {
        this.caller = caller;
        this.endpoint = endpoint;
        this.audit = audit;
    }

    /**
     * The call that this thread answers.
     *
     * @throws IllegalStateException outside an action of an {@link ApiEndpoint}, and on threads that the action starts
     */
    public static ApiCall current() {
        if (!CURRENT.isBound()) {
            throw new IllegalStateException("No call of the API runs on this thread: use it inside an action");
        }
        return CURRENT.get();
    }

    public Caller caller() {
        return caller;
    }

    /**
     * Checks that the caller may use a queue. Queues that are named in the path are checked before the action; this is
     * for queues that are known later, such as that of a job.
     *
     * @throws Refusal 403 if the caller is a worker for other queues
     */
    public void checkQueue(QueueName queue) {
        if (!caller.identity().mayUse(queue)) {
            Problem problem = queueProblem(endpoint, caller.identity(), queue);
            refuse(problem, "queue " + queue);
            throw new Refusal(problem);
        }
    }

    /**
     * Makes a change with an entry in the audit log. As {@link AuditLog#record}.
     *
     * @param object the changed thing, such as {@code queue emails}
     * @param before the state before, without payloads and secrets; null if there was none
     * @param after describes the state after the change
     */
    public <T> T change(String object, @Nullable String before, Supplier<T> change,
            Function<T, @Nullable String> after) {
        recorded.set(true);
        return audit.record(act(object, before), change, after);
    }

    /**
     * An entry in the audit log for the end of a change that goes on after the answer; may be made on any thread.
     *
     * @param object as in {@link #change}
     * @return takes the state after the change
     */
    public Consumer<String> endOf(String object) {
        return after -> audit.record(act(object, null), () -> after, text -> text);
    }

    boolean isRecorded() {
        return recorded.get();
    }

    void refuse(Problem problem, String object) {
        audit.refused(act(object, null), problem.detail());
    }

    private AuditAct act(String object, @Nullable String before) {
        Identity who = caller.identity();
        return new AuditAct(audit.now(), who.kind(), who.name(), caller.address(), endpoint.operation(), object,
                before);
    }

    static Problem roleProblem(ApiEndpoint endpoint, Identity who) {
        String had = who.role().text();
        String needed = endpoint.least().text();
        return new Problem(ProblemType.ROLE,
                "Operation " + endpoint.operation() + " needs the role " + needed + ", and "
                        + who + " has the role " + had + ": use a token with that role")
                .withMember("operation",
                        endpoint.operation())
                .withMember("role", had).withMember("required", needed);
    }

    static Problem queueProblem(ApiEndpoint endpoint, Identity who, QueueName queue) {
        return new Problem(ProblemType.ROLE, "Operation " + endpoint.operation() + " on queue " + queue
                + " needs a worker's token for this queue, and " + who + " is for other queues: create a token for it")
                .withMember("operation", endpoint.operation()).withMember("role", who.role().text())
                .withMember("required", endpoint.least().text()).withMember("queue", queue.value());
    }
}

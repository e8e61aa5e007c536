package dev.orderly.http.access;

import dev.orderly.access.Identity;
import dev.orderly.access.control.AuditLog;
import dev.orderly.access.store.AuditAct;
import dev.orderly.job.QueueName;
import dev.orderly.operate.Caller;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;

/** The call of the API that the current thread answers: its identity, and its refusals. */
public final class ApiCall {
    static final ScopedValue<ApiCall> CURRENT = ScopedValue.newInstance();

    private final Caller caller;
    private final ApiEndpoint endpoint;
    private final AuditLog audit;

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
     * @throws ProblemException 403 if the caller is a worker for other queues
     */
    public void checkQueue(QueueName queue) {
        if (!caller.identity().mayUse(queue)) {
            Problem problem = queueProblem(endpoint, caller.identity(), queue);
            refuse(problem, "queue " + queue);
            throw new ProblemException(problem);
        }
    }

    void refuse(Problem problem, String object) {
        Identity who = caller.identity();
        audit.refused(new AuditAct(audit.now(), who.kind(), who.name(), caller.address(), endpoint.operation(), object,
                null), problem.detail());
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

package dev.orderly.http.user.job;

import dev.orderly.job.BatchName;
import dev.orderly.job.BatchView;
import dev.orderly.job.JobId;
import dev.orderly.job.JobView;
import dev.orderly.job.engine.JobClient;
import dev.orderly.web.edge.EdgeHandler;
import dev.orderly.web.edge.EdgeRequest;
import dev.orderly.web.header.AnswerPreference;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.message.Response;
import dev.orderly.web.path.RequestPath;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.problem.Problems;
import dev.orderly.web.route.RequestRouter.Match;
import dev.orderly.web.user.Authentication.Known;
import dev.orderly.web.user.Authenticator;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Shows jobs and batches to their users below {@value #BASE} and {@value #BATCHES}: as JSON, or as an event stream.
 * What belongs to another user is answered like what is unknown; a batch belongs to the user of its callback.
 * Thread-safe; blocks on virtual threads only.
 */
public final class UserJobHandler implements EdgeHandler {
    /** The path prefix of jobs, followed by a job's id. */
    public static final String BASE = "/.orderly/jobs/";

    /** The path prefix of batches, followed by a batch's name. */
    public static final String BATCHES = "/.orderly/batches/";

    /** The maximum number of concurrent reads of the store; further requests are answered 503. */
    private static final int LOOKING_MAX = 256;
    private static final String LAST_EVENT = "Last-Event-ID";

    private final JobClient client;
    private final Authenticator users;
    private final UserJobStreams streams;
    private final Semaphore looking = new Semaphore(LOOKING_MAX);

    public UserJobHandler(JobClient client, Authenticator users, UserJobStreams streams) {
        this.client = client;
        this.users = users;
        this.streams = streams;
    }

    @Override
    public Match match(EdgeRequest request, Next next) {
        RequestHead head = request.head();
        Supplier<Match> look = look(request.path(), head);
        if (look == null) {
            return next.match(request);
        }
        if (!head.method().equals("GET") && !head.method().equals("HEAD")) {
            throw new ProblemException(
                    new Problem(ProblemType.METHOD_NOT_ALLOWED, "Jobs and batches can be read only: use GET")
                            .withHeader("Allow", "GET"));
        }
        if (!looking.tryAcquire()) {
            throw new ProblemException(Problems.overloaded("Too many jobs and batches are being read."));
        }
        CompletableFuture<Match> later = new CompletableFuture<>();
        Thread.ofVirtual().name("orderly-look").start(() -> {
            try {
                later.complete(look.get());
            } catch (Throwable e) { // the answer reports it
                later.completeExceptionally(e);
            } finally {
                looking.release();
            }
        });
        return new Match.Deferred(later);
    }

    /** What answers a path; null for a path that is neither a job's nor a batch's. */
    private @Nullable Supplier<Match> look(RequestPath path, RequestHead head) {
        String job = last(path, BASE);
        String batch = last(path, BATCHES);
        if (job != null) {
            return () -> lookAtJob(head, job);
        }
        return batch == null ? null : () -> lookAtBatch(head, batch);
    }

    /** The last segment of a path below a prefix; null for other paths. */
    private static @Nullable String last(RequestPath path, String base) {
        String wire = path.wire();
        return wire.startsWith(base) && wire.indexOf('/', base.length()) < 0 ? wire.substring(base.length()) : null;
    }

    private Match lookAtJob(RequestHead head, String id) {
        Known known = users.of(head).known();
        JobView job = find(id).filter(found -> known.user().equals(found.user()))
                .orElseThrow(() -> new ProblemException(ProblemType.UNKNOWN_JOB,
                        "You have no such job, or it is no longer kept: check the id that the push returned"));
        return answer(head, () -> UserJobJson.of(job, client.position(job).orElse(null), true),
                () -> streams.open(job, known));
    }

    private Match lookAtBatch(RequestHead head, String name) {
        Known known = users.of(head).known();
        BatchView batch = findBatch(name).filter(found -> known.user().equals(found.user()))
                .orElseThrow(() -> new ProblemException(ProblemType.UNKNOWN_BATCH, "You have no such batch, or it is no"
                        + " longer kept: check its name, and that its callback was opened for you"));
        return answer(head, () -> UserBatchJson.of(batch), () -> streams.open(batch, known));
    }

    private static Match answer(RequestHead head, Supplier<byte[]> json, Supplier<Match> stream) {
        if (!AnswerPreference.isForEvents(head.headers().getAll("Accept"))) {
            return new Match.Immediate(Response.json(200, json.get()));
        }
        return UserJobStreams.END.equals(head.header(LAST_EVENT))
                ? new Match.Immediate(Response.empty(204)) // stops the browser's retries
                : stream.get();
    }

    private Optional<BatchView> findBatch(String name) {
        try {
            return client.batches().find(new BatchName(name));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private Optional<JobView> find(String id) {
        try {
            return client.find(JobId.parse(id));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }
}

package dev.orderly.http.api;

import static dev.orderly.http.openapi.ErrorAnswer.NOT_PULLED;
import static dev.orderly.http.openapi.ErrorAnswer.UNPROCESSABLE;
import static dev.orderly.http.openapi.ErrorAnswer.UNSUPPORTED_CONTENT;

import dev.orderly.access.Role;
import dev.orderly.http.access.ApiCall;
import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.access.OperationEndpoints;
import dev.orderly.http.api.json.JsonBody;
import dev.orderly.http.openapi.OperationDoc;
import dev.orderly.http.openapi.OperationDoc.Body;
import dev.orderly.http.openapi.RecordJson;
import dev.orderly.http.webhook.AttemptTokens;
import dev.orderly.job.QueueName;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.pull.PullClaims;
import dev.orderly.job.pull.PullRequest;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.operate.Caller;
import dev.orderly.operate.Operation;
import dev.orderly.operate.OperationSpec;
import dev.orderly.store.StoreException;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.Response;
import dev.orderly.web.path.PathTemplate;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.problem.Problems;
import dev.orderly.web.route.Endpoint;
import dev.orderly.web.route.Endpoint.BodyLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Claims of workers that pull: the answer has jobs with the tokens of their attempts. */
final class ClaimEndpoints {
    private static final Logger LOG = LoggerFactory.getLogger(ClaimEndpoints.class);
    private static final int BODY = 4 << 10;
    private static final int WORKER_MAX = 100;
    /** Shorter than the time in which a listener has to answer. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(25);
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final Duration LEASE = Duration.ofMinutes(5);

    private final OperationEndpoints operations;
    private final JobClient client;
    private final PullClaims pulls;
    private final AttemptTokens tokens;

    ClaimEndpoints(OperationEndpoints operations, AttemptTokens tokens) {
        this.operations = operations;
        this.client = operations.targets().orderly().engines().jobs();
        this.pulls = operations.targets().orderly().engines().pulls();
        this.tokens = tokens;
    }

    List<ApiEndpoint> endpoints() {
        String path = operations.base() + "/queues/{queue}/claims";
        BodyLimit limit = new BodyLimit(BODY, new Problem(ProblemType.TOO_LARGE,
                "A claim takes at most " + BODY + " bytes: send max, wait, lease and worker only"));
        return List.of(new ApiEndpoint("claim", LeastRole.OPERATOR.orWorker(),
                new Endpoint("POST", PathTemplate.parse(path), _ -> limit, Map.of(), this::claim),
                OperationDoc.of("workers", OperationSpec.CLAIM)
                        .body(Body.of(ClaimJson.Asked.class).optional())
                        .answers(ClaimJson.class, "Done as the body says.")
                        .refuses(NOT_PULLED, UNSUPPORTED_CONTENT, UNPROCESSABLE)));
    }

    private Response claim(Request call) {
        QueryParameters.of(call.head());
        PullRequest request = request(call, queue(call.head().param("queue")));
        CompletableFuture<List<ClaimedJob>> answer = pulls.claim(request)
                .orElseThrow(
                        () -> new ProblemException(Problems.overloaded("As many claims wait as this node takes.")));
        var _ = call.gone().thenRun(() -> answer.complete(List.of())); // a claim without a worker takes no job
        List<ClaimedJob> jobs = awaited(answer, request.patience());
        recordForPerson(request.queue(), jobs);
        Instant until = client.now().plus(request.lease());
        return RecordJson.ok(new ClaimJson(claimed(jobs, until))).onLost(() -> giveBack(jobs));
    }

    private List<ClaimJson.Claimed> claimed(List<ClaimedJob> jobs, Instant until) {
        try {
            return jobs.stream().map(job -> {
                boolean first = job.attempt().number() == 1;
                return ClaimJson.Claimed.of(job, tokens.sign(job.attempt()), until,
                        first ? List.of() : client.steps(job.id()),
                        first ? List.of() : client.eventsFor(job.attempt()));
            }).toList();
        } catch (StoreException e) {
            giveBack(jobs);
            throw e;
        }
    }

    /**
     * Makes an entry in the audit log before a person sees claimed jobs, whose payloads are not masked: a claim reveals
     * them. Workers claim without an entry.
     */
    private void recordForPerson(QueueName queue, List<ClaimedJob> jobs) {
        Caller caller = ApiCall.current().caller();
        if (jobs.isEmpty() || caller.identity().role() == Role.WORKER) {
            return;
        }
        try {
            for (ClaimedJob job : jobs) {
                operations.operations().run(caller,
                        Operation.of(OperationSpec.CLAIM, "job " + job.id(), "queue " + queue,
                                () -> job, _ -> "claimed and shown"),
                        null);
            }
        } catch (StoreException e) {
            giveBack(jobs);
            throw e;
        }
    }

    private QueueName queue(String name) {
        QueueName queue;
        try {
            queue = new QueueName(name);
        } catch (IllegalArgumentException e) {
            throw new ProblemException(ProblemType.UNKNOWN_QUEUE, String.valueOf(e.getMessage()));
        }
        if (client.options(queue).isEmpty()) {
            throw new ProblemException(ProblemType.UNKNOWN_QUEUE,
                    "Queue " + name + " does not exist: declare it with handler: pull");
        }
        if (!client.isPulled(queue)) {
            throw new ProblemException(ProblemType.NOT_PULLED, "Queue " + name
                    + " is not pulled: declare it with handler: pull, or let its handler do the work");
        }
        return queue;
    }

    private static PullRequest request(Request call, QueueName queue) {
        JsonNode json = call.body().length == 0
                ? JsonMapper.shared().createObjectNode()
                : JsonBody.of(call, ClaimJson.Asked.class);
        JsonNode max = json.path("max");
        if (!max.isMissingNode() && !max.isInt()) {
            throw JsonBody.bad("max is not a whole number: use 1 to " + PullRequest.MAX);
        }
        if (json.path("worker").asString("").length() > WORKER_MAX) {
            throw JsonBody.bad("worker has more than " + WORKER_MAX + " characters: use a shorter name");
        }
        Duration wait = AttemptEndpoints.bounded("wait", json.path("wait").asString("0s"), Duration.ZERO,
                PullRequest.WAIT_MAX);
        Duration lease = AttemptEndpoints.bounded("lease", json.path("lease").asString(LEASE.toString()),
                PullRequest.LEASE_MIN, PullRequest.LEASE_MAX);
        try {
            return new PullRequest(queue, max.asInt(1), wait.compareTo(WAIT_MAX) < 0 ? wait : WAIT_MAX, lease);
        } catch (IllegalArgumentException e) {
            throw JsonBody.bad(String.valueOf(e.getMessage()));
        }
    }

    /** Waits on a virtual thread. A request that the loop does not answer in time is withdrawn. */
    private static List<ClaimedJob> awaited(CompletableFuture<List<ClaimedJob>> answer, Duration wait) {
        try {
            return answer.get(wait.plus(PATIENCE).toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            return answer.complete(List.of()) ? List.of() : answer.join();
        } catch (InterruptedException e) {
            answer.complete(List.of());
            Thread.currentThread().interrupt();
            return answer.join();
        } catch (ExecutionException e) {
            throw new IllegalStateException("A claim is never failed", e);
        }
    }

    /** Gives back jobs whose answer did not reach the worker. */
    private void giveBack(List<ClaimedJob> jobs) {
        if (!jobs.isEmpty()) {
            Thread.ofVirtual().name("orderly-claims-lost").start(() -> {
                for (ClaimedJob job : jobs.reversed()) {
                    try {
                        client.report(job.attempt(), new AttemptOutcome.GiveBack());
                    } catch (StoreException e) {
                        LOG.warn("Job {} of {} did not reach its worker and is given back when its lease ends: {}",
                                job.id(), job.queue(), e.getMessage());
                    }
                }
            });
        }
    }
}

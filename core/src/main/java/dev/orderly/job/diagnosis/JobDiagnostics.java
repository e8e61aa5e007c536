package dev.orderly.job.diagnosis;

import dev.orderly.Internal;
import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobEvent;
import dev.orderly.job.JobFailure;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobTerms;
import dev.orderly.job.JobView;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.diagnosis.JobDiagnosis.Cause;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.engine.JobWorker;
import dev.orderly.job.engine.QueueStatus;
import dev.orderly.job.settings.KeySettings;
import dev.orderly.job.store.AttemptSnapshot;
import dev.orderly.job.store.JobViews;
import dev.orderly.job.store.LimitView;
import dev.orderly.job.store.Rest;
import dev.orderly.store.StoreException;
import dev.orderly.text.DurationText;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Explains what keeps a job from running, from the views of the store and from this node's load. Other nodes are seen
 * by the jobs that they run only. Blocks on the store; a few reads of bounded size. Thread-safe.
 */
@Internal(to = "dev.orderly")
public final class JobDiagnostics {
    /** The page of waiting jobs that is searched for higher priorities. */
    private static final int PAGE = 1_000;

    private final JobClient client;
    private final JobWorker worker;
    private final JobViews views;

    /** @param views of the client's store */
    public JobDiagnostics(JobClient client, JobWorker worker, JobViews views) {
        this.client = client;
        this.worker = worker;
        this.views = views;
    }

    /** The cause that comes first: a job that waits for several things gets the one to look at. */
    public JobDiagnosis of(JobId id) {
        try {
            Optional<JobView> found = client.find(id);
            return found.isPresent()
                    ? of(found.get())
                    : DiagnosedJob.of(id, Cause.NOT_FOUND, "Job " + id + " does not exist, or is no longer kept.",
                            "Check the id, and how long ended jobs are kept (keep.done, keep.done-max, keep.dead).");
        } catch (StoreException e) {
            return DiagnosedJob.of(id, Cause.STORE, "The store does not answer (" + e.getMessage()
                    + "), so no job starts.", "Bring the store back: jobs start again by themselves.");
        }
    }

    private JobDiagnosis of(JobView job) {
        JobDiagnosis diagnosis = cause(job);
        Instant expiresAt = job.terms().expiresAt();
        return expiresAt == null || job.state().isEnd() || job.state() == JobState.RUNNING
                ? diagnosis
                : DiagnosedJob.expiring(diagnosis, expiresAt);
    }

    private JobDiagnosis cause(JobView job) {
        JobId id = job.id();
        return switch (job.state()) {
            case DONE -> DiagnosedJob.of(id, Cause.DONE, "It was done at " + job.endedAt() + " by attempt "
                    + job.attempt() + ".", "").at(job.endedAt());
            case CANCELLED -> DiagnosedJob.of(id, Cause.CANCELLED, "It was cancelled at " + job.endedAt()
                    + (job.reason() == null || job.reason().isEmpty() ? "." : " (" + job.reason() + ")."),
                    "Push its content again.")
                    .at(job.endedAt());
            case DEAD -> DiagnosedJob.of(id, Cause.DEAD, "It is a dead letter since " + job.endedAt() + ", after "
                    + (job.failures() == 1 ? "1 failure: " : job.failures() + " failures, the last: ")
                    + quoted(job.failure()) + ".",
                    "Mend the cause, then redrive it.").at(job.endedAt());
            case RUNNING -> running(job);
            case DELAYED -> unreadable(job, job).or(() -> awaiting(job)).orElseGet(() -> delayed(job));
            case WAITING -> waiting(job);
        };
    }

    private JobDiagnosis running(JobView job) {
        Instant leasedUntil = job.leasedUntil();
        if (leasedUntil != null) {
            return DiagnosedJob.of(job.id(), Cause.LEASED, "A worker elsewhere has it (attempt " + job.attempt()
                    + "), and has to report before " + leasedUntil + ".",
                    "Without a report the attempt fails then, and the retry policy of the queue decides.")
                    .at(leasedUntil);
        }
        return switch (client.hold(job.id())) {
            case QueueStatus.Hold.Running(var since) -> DiagnosedJob.of(job.id(), Cause.RUNNING, "Attempt "
                    + job.attempt() + " has run on this node since " + since + ".", "").at(since);
            case QueueStatus.Hold.Claimed _ -> DiagnosedJob.of(job.id(), Cause.CLAIMED,
                    "This node has claimed it, and calls its handler as soon as one is free.", "");
            case QueueStatus.Hold.None _ -> DiagnosedJob.of(job.id(), Cause.RUNNING, "Attempt " + job.attempt()
                    + " runs on another node, or ran on one that is gone: then it is given back within 35 s.", "");
        };
    }

    private static JobDiagnosis delayed(JobView job) {
        JobFailure failure = job.failure();
        DiagnosedJob diagnosis = failure == null
                ? DiagnosedJob.of(job.id(), Cause.DELAYED, "It is put off until " + job.dueAt()
                        + ", by its push or by its handler." + debounced(job), "")
                : DiagnosedJob.of(job.id(), Cause.RETRY, "Attempt " + job.attempt() + " failed (" + failure.summary()
                        + "); the next begins at " + job.dueAt() + ".", "Mend the cause before then.");
        return diagnosis.at(job.dueAt());
    }

    private Optional<JobDiagnosis> awaiting(JobView job) {
        String events = awaited(job);
        return events.isEmpty()
                ? Optional.empty()
                : Optional.of(DiagnosedJob.of(job.id(), Cause.AWAITING, "It waits for " + events + ", until "
                        + job.dueAt() + ".",
                        "Send the event: orderly job event " + job.id()
                                + " NAME VALUE. At the end of the wait the handler runs without it.")
                        .at(job.dueAt()));
    }

    /** The events that a job waits for now, such as {@code event approval}; empty for none. */
    private String awaited(JobView job) {
        List<String> names = client.events(job.id()).stream().filter(event -> event.isAwaitedBy(job))
                .map(JobEvent::name).toList();
        return names.isEmpty() ? "" : (names.size() == 1 ? "event " : "events ") + String.join(" or ", names);
    }

    private static String debounced(JobView job) {
        JobTerms.Debounce debounce = job.terms().debounce();
        if (debounce == null) {
            return "";
        }
        return " Each further push of debounce key " + debounce.key() + " puts it off again"
                + (debounce.atMost() == null
                        ? "."
                        : ", until " + job.pushedAt().plus(debounce.atMost()) + " at most.");
    }

    private JobDiagnosis waiting(JobView job) {
        QueueStatus status = client.queues().stream().filter(each -> each.view().queue().equals(job.queue()))
                .findFirst().orElse(null);
        if (status != null && status.view().paused()) {
            return DiagnosedJob.of(job.id(), Cause.PAUSED, "Queue " + job.queue() + " is paused.",
                    "Resume the queue.");
        }
        Optional<JobView> first = client.blocker(job.id()).flatMap(client::find);
        Optional<JobDiagnosis> unreadable = unreadable(job, first.orElse(job));
        if (unreadable.isPresent()) {
            return unreadable.get();
        }
        if (first.isPresent() && first.get().state() != JobState.WAITING) {
            return grouped(job, first.get());
        }
        Optional<String> holder = job.group() == null ? Optional.empty() : views.holder(job.id());
        if (holder.isPresent()) {
            return DiagnosedJob.of(job.id(), Cause.GROUP_HELD, "Its group " + job.group() + " is held by "
                    + holder.get() + ".",
                    "Let that transaction end sooner; a caller-hold in the store's address bounds"
                            + " it, but ends no prepared transaction.");
        }
        Optional<JobDiagnosis> limited = keyPaused(job).or(() -> limited(job)).or(() -> keyLimited(job));
        if (limited.isPresent()) {
            return limited.get();
        }
        if (status != null && status.options() != null && client.leasesLeft(job.queue()) == 0) {
            return DiagnosedJob.of(job.id(), Cause.LEASES_FULL, "Workers elsewhere have "
                    + jobs(status.view().leased()) + " of queue " + job.queue() + ", and its bound is "
                    + status.options().maxLeased() + ".",
                    "Let workers report the end of their jobs, or raise queues." + job.queue() + ".max-leased.");
        }
        if (client.isPulled(job.queue())) {
            int ahead = client.ahead(job.id());
            return DiagnosedJob.of(job.id(), Cause.NO_WORKER, "It waits for a worker that pulls queue " + job.queue()
                    + ", behind " + jobs(ahead) + ".",
                    "Start a worker, or more of them: they claim by POST"
                            + " /api/v1/queues/" + job.queue() + "/claims.")
                    .withAhead(ahead);
        }
        QueueStatus.Load load = client.load(job.queue());
        Optional<JobDiagnosis> node = node(job, load, status == null ? 0 : status.view().running());
        return node.isPresent() ? node.get() : behind(job, load, first);
    }

    /** That the limit of the queue is full. */
    private Optional<JobDiagnosis> limited(JobView job) {
        return LimitView.of(job.queue(), views.limits()).filter(limit -> limit.keeps(job.terms().cost())).map(limit -> {
            int ahead = client.ahead(job.id());
            if (limit.rest() != null) {
                return resting(job, Cause.LIMITED, "limit " + limit.name(), limit.rest(), jobs(ahead))
                        .withAhead(ahead);
            }
            String shared = limit.name().isOfQueue() || limit.queues().size() == 1
                    ? ""
                    : ", shared by queues " + limit.queues().stream().map(QueueName::value)
                            .collect(Collectors.joining(", "));
            DiagnosedJob diagnosis = DiagnosedJob.of(job.id(), Cause.LIMITED, "It waits for limit "
                    + limit.name() + ": " + limit.use()
                    + (client.limitOverride(limit.name()).isEmpty() ? "" : ", set by an operator") + shared
                    + costs(job)
                    + "; behind " + jobs(ahead) + "." + share(job, limit.limit().concurrency())
                    + (limit.next() == null ? "" : " The rate allows the next start at " + limit.next() + "."),
                    "Let it wait, or raise " + (limit.name().isOfQueue()
                            ? "queues." + job.queue() + ".limit"
                            : "limits." + limit.name()) + ".")
                    .withAhead(ahead);
            return limit.next() == null ? diagnosis : diagnosis.at(limit.next());
        });
    }

    /** That other keys come before the job's, which has its share of the slots; empty if it has less. */
    private String share(JobView job, int slots) {
        String key = job.terms().key();
        if (key == null || slots == 0) {
            return "";
        }
        return views.keys(job.queue(), key, 1).stream().filter(view -> view.limit() != null
                && view.limit().share() > 0 && view.running() >= view.limit().shareOf(slots)).findFirst()
                .map(view -> " Its key " + key + " has " + view.running() + " of them, and its share is "
                        + Objects.requireNonNull(view.limit()).shareOf(slots) + ": other keys come first.")
                .orElse("");
    }

    /** That the job's key or group is paused. */
    private Optional<JobDiagnosis> keyPaused(JobView job) {
        String name = job.group() == null ? job.terms().key() : job.group();
        if (name == null) {
            return Optional.empty();
        }
        KeySettings settings = client.key(job.queue(), name).settings();
        int ahead = client.ahead(job.id());
        String what = job.group() == null ? "key" : "group";
        return settings.paused()
                ? Optional.of(DiagnosedJob.of(job.id(), Cause.KEY_PAUSED, "It waits: its " + what + " " + name
                        + " is paused (last change by " + settings.bounds().by() + " at " + settings.bounds().at()
                        + "); behind " + jobs(ahead) + " of the " + what + ".", "Resume the " + what + ".")
                        .withAhead(ahead))
                : Optional.empty();
    }

    /** That the limit of the job's key, or the rate of its group, lets none start. */
    private Optional<JobDiagnosis> keyLimited(JobView job) {
        String key = job.group() == null ? job.terms().key() : job.group();
        if (key == null) {
            return Optional.empty();
        }
        String what = job.group() == null ? "key" : "group";
        return views.keys(job.queue(), key, 1).stream().filter(view -> view.keeps(job.terms().cost())).findFirst()
                .map(view -> {
                    int ahead = client.ahead(job.id());
                    if (view.rest() != null) {
                        return resting(job, Cause.KEY_LIMITED, "its " + what + " " + key, view.rest(),
                                jobs(ahead) + " of the " + what).withAhead(ahead);
                    }
                    DiagnosedJob diagnosis = DiagnosedJob.of(job.id(), Cause.KEY_LIMITED, "It waits for its " + what
                            + " "
                            + key + ": " + view.use()
                            + (view.settings().bounds().isEmpty() ? "" : ", set by an operator") + costs(job)
                            + "; behind "
                            + jobs(ahead) + " of the " + what + "."
                            + (view.next() == null ? "" : " The rate allows the next start at " + view.next() + "."),
                            "Let it wait, or raise queues." + job.queue() + ".per-key"
                                    + (job.group() == null ? ", or the bounds of this key." : "."))
                            .withAhead(ahead);
                    return view.next() == null ? diagnosis : diagnosis.at(view.next());
                });
    }

    private static String costs(JobView job) {
        return job.terms().cost() == 1 ? "" : ", and the job costs " + job.terms().cost();
    }

    /** That the limit of the queue, or the key of the job, rests. */
    private static DiagnosedJob resting(JobView job, Cause cause, String name, Rest rest, String ahead) {
        return DiagnosedJob.of(job.id(), cause, "It waits: " + name + " rests until " + rest.until()
                + ", said by attempt " + rest.attempt() + (rest.job().equals(job.id()) ? "" : " of job " + rest.job())
                + "; behind " + ahead + ".",
                "Let it wait: a handler, or the receiver of a webhook, asked for this time.")
                .at(rest.until());
    }

    /**
     * That no node could read the payload.
     *
     * @param first the job itself, or the job of the group that must end before it starts
     */
    private Optional<JobDiagnosis> unreadable(JobView job, JobView first) {
        boolean pending = first.state() == JobState.WAITING || first.state() == JobState.DELAYED;
        List<JobAttempt> unread = pending ? AttemptSnapshot.unread(client.attempts(first)) : List.of();
        if (unread.isEmpty()) {
            return Optional.empty();
        }
        Instant since = unread.stream().map(JobAttempt::endedAt).filter(Objects::nonNull).min(Instant::compareTo)
                .orElse(first.pushedAt());
        boolean behind = !first.id().equals(job.id());
        String patience = client.options(job.queue()).map(options -> " for " + DurationText.of(options.unreadableFor()))
                .orElse("");
        DiagnosedJob diagnosis = DiagnosedJob.of(job.id(), Cause.UNREADABLE, (behind
                ? "It is behind " + jobs(client.ahead(job.id())) + " of its group " + job.group()
                        + ", of which the first, " + first.id() + ", cannot be read: "
                : "")
                + (unread.size() == 1 ? "1 node has" : unread.size() + " nodes have") + " tried since " + since
                + " and could not read " + (behind ? "that" : "its") + " payload ("
                + summary(unread.getLast().failure()) + "). It becomes a dead letter once no live node that works on"
                + " queue " + job.queue() + " has been able to read it" + patience + ".",
                "Start the version that reads it; or add a default, a rename or an upcaster where the queue is"
                        + " declared; or cancel job " + first.id() + ".")
                .at(since);
        return Optional.of(behind ? diagnosis.behind(first.id()) : diagnosis);
    }

    /** @param first the job of the group that must end before this one starts */
    private JobDiagnosis grouped(JobView job, JobView first) {
        int ahead = client.ahead(job.id());
        String group = "of its group " + job.group();
        String events = first.state() == JobState.DELAYED ? awaited(first) : "";
        DiagnosedJob diagnosis = switch (first.state()) {
            case DEAD -> DiagnosedJob.of(job.id(), Cause.GROUP_HALTED, "Dead letter " + first.id() + " halts the jobs "
                    + group + " since " + first.endedAt() + ": " + quoted(first.failure()) + ".",
                    "Redrive or cancel job " + first.id() + ".");
            case DELAYED -> DiagnosedJob.of(job.id(), Cause.GROUP_RETRY, "It is behind " + jobs(ahead) + " " + group
                    + ", of which the first " + (events.isEmpty()
                            ? "failed (" + summary(first.failure()) + ") and begins again at "
                            : "waits for " + events + ", until ")
                    + first.dueAt() + ".",
                    (events.isEmpty() ? "Mend the cause" : "Send the event to job " + first.id())
                            + ", or cancel job " + first.id() + ".")
                    .at(first.dueAt());
            case RUNNING, WAITING, DONE, CANCELLED -> DiagnosedJob.of(job.id(), Cause.GROUP_RUNNING, "It is behind "
                    + jobs(ahead) + " " + group + ", of which the first, " + first.id() + ", runs (attempt "
                    + first.attempt() + ").", "");
        };
        return diagnosis.behind(first.id()).withAhead(ahead);
    }

    /** What keeps the queue from starting any job. */
    private Optional<JobDiagnosis> node(JobView job, QueueStatus.Load load, long runningAnywhere) {
        if (!load.handled()) {
            return runningAnywhere > 0
                    ? Optional.empty()
                    : Optional.of(DiagnosedJob.of(job.id(), Cause.NO_HANDLER, "This node has no handler of queue "
                            + job.queue() + ", and no job of it runs on another node.",
                            "Set queues." + job.queue() + ".handler, or start the node that works on the queue."));
        }
        return switch (worker.phase()) {
            case NEW -> Optional.of(DiagnosedJob.of(job.id(), Cause.NODE_STARTING,
                    "This node has not started its handlers yet.", "Wait until it is ready, or call start()."));
            case STOPPED -> Optional.of(DiagnosedJob.of(job.id(), Cause.NODE_STOPPING,
                    "This node stops, and starts no further jobs.", "Start it again, or another node."));
            case STARTED -> load.leaseOver()
                    ? Optional.of(DiagnosedJob.of(job.id(), Cause.STORE,
                            "The store has not answered this node's heartbeats, so the node starts no jobs.",
                            "Bring the store back: jobs start again by themselves."))
                    : Optional.empty();
        };
    }

    private JobDiagnosis behind(JobView job, QueueStatus.Load load, Optional<JobView> first) {
        int ahead = client.ahead(job.id());
        boolean busy = load.handled() && load.busy() >= load.concurrency();
        String handlers = busy
                ? "all " + load.concurrency() + " handlers of queue " + job.queue() + " on this node are busy"
                : load.handled()
                        ? load.busy() + " of " + load.concurrency() + " handlers on this node are busy"
                        : "other nodes work on queue " + job.queue();
        String more = "Raise queues." + job.queue() + ".concurrency, or add a node.";
        long higher = job.queue().isFifo() ? 0 : higher(job);
        if (higher > 0) {
            return DiagnosedJob.of(job.id(), Cause.PRIORITY, jobs(higher) + " of a higher priority than "
                    + job.priority().number() + " go first, " + ahead + " jobs in all; " + handlers + ".", more)
                    .withAhead(ahead);
        }
        if (busy) {
            return DiagnosedJob.of(job.id(), Cause.HANDLERS_BUSY, "It is behind " + jobs(ahead) + ", and " + handlers
                    + ".", more).withAhead(ahead);
        }
        if (load.handled() && load.freeBytes() <= 0) {
            return DiagnosedJob.of(job.id(), Cause.PAYLOAD_BYTES, "The payloads of running jobs take as many bytes as"
                    + " this node may hold.", "Raise claim-bytes, or push smaller payloads.").withAhead(ahead);
        }
        if (first.isPresent()) {
            return DiagnosedJob.of(job.id(), Cause.GROUP_WAITING, "It is behind " + jobs(ahead) + " of its group "
                    + job.group() + ", of which the first, " + first.get().id() + ", waits for a handler; " + handlers
                    + ".", "").behind(first.get().id()).withAhead(ahead);
        }
        String key = job.terms().key();
        return ahead > 0
                ? DiagnosedJob.of(job.id(), Cause.QUEUED, "It is behind " + jobs(ahead)
                        + (key == null ? "" : " of its key " + key + ", which takes turns with the others") + "; "
                        + handlers + ".", more)
                        .withAhead(ahead)
                : DiagnosedJob.of(job.id(), Cause.READY, "Nothing keeps it: the next claim takes it; " + handlers
                        + ".", "").withAhead(0);
    }

    /** Waiting jobs of higher classes, counted in a page of the oldest waiting jobs. */
    private long higher(JobView job) {
        if (job.priority() == Priority.URGENT) {
            return 0;
        }
        return client.list(job.queue(), JobState.WAITING, null, PAGE).stream()
                .filter(other -> Objects.equals(other.terms().key(), job.terms().key())
                        && other.priority().compareTo(job.priority()) < 0)
                .count();
    }

    private static String jobs(long count) {
        String number = count >= JobViews.AHEAD_MAX ? count + " or more" : Long.toString(count);
        return count == 1 ? "1 job" : number + " jobs";
    }

    private static String quoted(@Nullable JobFailure failure) {
        return failure == null ? summary(null) : "\"" + summary(failure) + "\"";
    }

    private static String summary(@Nullable JobFailure failure) {
        return failure == null ? "no reason is kept" : failure.summary();
    }
}

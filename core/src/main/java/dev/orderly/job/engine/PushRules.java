package dev.orderly.job.engine;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.JobTerms;
import dev.orderly.job.KeyRule;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.PushRefusedException;
import dev.orderly.job.PushRefusedException.Reason;
import dev.orderly.job.PushRequest;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.NewJob;
import dev.orderly.text.DurationText;
import dev.orderly.text.StoredText;
import dev.orderly.user.UserId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The rules of pushes, with the error for each. */
final class PushRules {
    private static final Duration LEAST = Duration.ofMillis(1);
    static final int ID_MAX = 256;
    static final int PARAMS_MAX = 32;
    static final int PARAMS_CHARS_MAX = 8 << 10;
    static final Duration DELAY_MAX = Duration.ofDays(365);

    private PushRules() {}

    /** The job to store; throws {@link PushRefusedException} if a rule is broken. */
    static NewJob check(PushRequest request, DeclaredQueue queue, DeclaredQueues queues, Instant now) {
        checkOrder(request, queue.name);
        checkPayload(request.payload(), queue);
        checkBounds(request, queue.name, now);
        checkCost(request, queue, queues);
        checkBatch(request, queue.name);
        Payload payload = request.payload();
        Priority priority = request.priority();
        JobTerms terms = terms(request, queue, now);
        NewJob job = new NewJob(queue.name, request.group(), priority == null ? Priority.NORMAL : priority,
                dueAt(request, now), payload, request.params(),
                request.user(), dedupe(request, queue), request.idempotency()).traced(request.trace())
                .comingFrom(request.origin()).on(terms, unique(request, queue.name, terms.key()))
                .childOf(request.batch() == null ? null : request.parent());
        return request.dedupeId() == null ? job : job.fingerprinted(DedupeKey.ofContent(queue.name, request));
    }

    private static void checkBatch(PushRequest request, QueueName queue) {
        if (request.batch() != null && request.debounce() != null) {
            throw new PushRefusedException(Reason.BATCH, "A push into queue " + queue + " for batch "
                    + request.batch().name() + " has a debounce key, by which later pushes replace it: a member of a"
                    + " batch is one job, so leave the key out, or push it without the batch");
        }
    }

    private static void checkCost(PushRequest request, DeclaredQueue queue, DeclaredQueues queues) {
        Integer cost = request.cost();
        if (cost == null) {
            return;
        }
        if (cost < 1 || cost > JobTerms.COST_MAX) {
            throw new PushRefusedException(Reason.BOUNDS,
                    "A job of queue " + queue.name + " costs " + cost + ": use 1 to " + JobTerms.COST_MAX);
        }
        queue.rates(queues::bounds).filter(limit -> limit.starts() < cost).findFirst().ifPresent(limit -> {
            throw new PushRefusedException(Reason.BOUNDS, "A job of queue " + queue.name + " costs " + cost
                    + ", and a rate of the queue gives " + limit.rateText() + ": use a lower cost, or raise the rate");
        });
    }

    private static JobTerms terms(PushRequest request, DeclaredQueue queue, Instant now) {
        RetryPolicy retry = request.retry();
        Integer attempts = request.attempts();
        Duration expires = request.expires();
        return new JobTerms(expires == null ? null : now.plus(expires).truncatedTo(ChronoUnit.MILLIS),
                attempts == null ? retry : (retry == null ? queue.options().retry() : retry).withAttempts(attempts),
                request.timeout(), request.unique(),
                request.debounce() == null ? null : new JobTerms.Debounce(request.debounce(), request.atMost()),
                request.dedupeFor(), key(request, queue), request.cost() == null ? 1 : request.cost(), request.batch());
    }

    /** The key by the rule of the queue; null if it has none. */
    private static @Nullable String key(PushRequest request, DeclaredQueue queue) {
        KeyRule rule = queue.options().key().orElse(null);
        if (rule == null) {
            return null;
        }
        String key = key(rule, request, queue);
        if (key == null || key.isEmpty()) {
            throw new PushRefusedException(Reason.KEY_MISSING, "Queue " + queue.name + " takes turns between keys, and"
                    + " the push has none: its key is " + rule + "; push it with one");
        }
        int bytes = key.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > KeyRule.BYTES_MAX) {
            throw new PushRefusedException(Reason.BOUNDS, "The key for queue " + queue.name + " (" + rule + ") has "
                    + bytes + " bytes: use at most " + KeyRule.BYTES_MAX);
        }
        checkText("key", key, KeyRule.BYTES_MAX, queue.name);
        return key;
    }

    private static @Nullable String key(KeyRule rule, PushRequest request, DeclaredQueue queue) {
        if (rule.isUser()) {
            UserId user = request.user();
            return user == null ? null : user.value();
        }
        String param = rule.param();
        if (param != null) {
            return request.params().get(param);
        }
        String pointer = rule.pointer();
        if (pointer != null) {
            return queue.format.valueAt(request.payload(), pointer).orElse(null);
        }
        try {
            Object key = Objects.requireNonNull(rule.function()).apply(queue.format.decode(request.payload()));
            return key == null ? null : key.toString();
        } catch (RuntimeException e) {
            throw new PushRefusedException(Reason.MALFORMED, "The key of a push into queue " + queue.name
                    + " cannot be computed of its payload: " + e);
        }
    }

    private static @Nullable DedupeKey unique(PushRequest request, QueueName queue, @Nullable String key) {
        String debounce = request.debounce();
        if (debounce != null) {
            return DedupeKey.ofDebounce(queue, debounce, owner(request.dedupeScope(), key));
        }
        String unique = request.unique();
        return unique == null ? null : DedupeKey.ofUnique(queue, request.group(), unique, request.dedupeScope());
    }

    /** The owner of a debounce key: a job that waits keeps its own key, so pushes of another key do not replace it. */
    private static @Nullable String owner(@Nullable String scope, @Nullable String key) {
        return key == null ? scope : (scope == null ? "" : scope) + "\0" + key;
    }

    /** The moment from which the job is due; null for at once. */
    private static @Nullable Instant dueAt(PushRequest request, Instant now) {
        Duration delay = request.delay();
        Instant due = delay == null ? request.runAt() : delay.isPositive() ? now.plus(delay) : null;
        return due == null || !due.isAfter(now) ? null : due;
    }

    private static void checkOrder(PushRequest request, QueueName queue) {
        if (queue.isFifo() && request.group() == null) {
            throw new PushRefusedException(Reason.GROUP_MISSING, "Queue " + queue
                    + " is FIFO and needs a group: push with group(id), or use a queue whose name does not end in"
                    + " .fifo");
        }
        if (!queue.isFifo() && request.group() != null) {
            throw new PushRefusedException(Reason.GROUP_FORBIDDEN, "Queue " + queue
                    + " is a standard queue and takes no group: leave it out, or use a queue whose name ends in .fifo");
        }
        if (queue.isFifo() && request.debounce() != null) {
            throw new PushRefusedException(Reason.ORDER, "Queue " + queue + " is FIFO and keeps push order, which a"
                    + " debounced push would change: push with unique(key) or dedupe(id), or use a standard queue");
        }
        if (queue.isFifo() && (request.delay() != null || request.runAt() != null || request.priority() != null)) {
            throw new PushRefusedException(Reason.ORDER, "Queue " + queue + " is FIFO and keeps push order: leave "
                    + (request.priority() == null ? "the delay" : "the priority") + " out, or use a standard queue");
        }
    }

    private static void checkPayload(Payload payload, DeclaredQueue queue) {
        if (payload.size() == 0) {
            throw new PushRefusedException(Reason.EMPTY,
                    "The payload for queue " + queue.name + " is empty: push at least one byte");
        }
        int max = queue.options().maxPayload();
        if (payload.size() > max) {
            throw new PushRefusedException(Reason.TOO_LARGE,
                    "The payload for queue " + queue.name + " has " + payload.size()
                            + " bytes, more than its " + max
                            + ": store the content elsewhere and push a reference, or raise"
                            + " the queue's max-payload (hard limit " + QueueOptions.PAYLOAD_LIMIT + ")");
        }
    }

    private static void checkBounds(PushRequest request, QueueName queue, Instant now) {
        checkText("group", request.group(), ID_MAX, queue);
        checkText("dedupe id", request.dedupeId(), ID_MAX, queue);
        checkText("unique key", request.unique(), ID_MAX, queue);
        checkText("debounce key", request.debounce(), ID_MAX, queue);
        if (request.unique() != null && request.dedupeId() != null) {
            throw new PushRefusedException(Reason.BOUNDS, "A push into queue " + queue + " has a unique key and a"
                    + " dedupe id, which may name two jobs as its answer: leave one of them out");
        }
        if (request.debounce() != null && (request.unique() != null || request.dedupeId() != null)) {
            throw new PushRefusedException(Reason.BOUNDS, "A push into queue " + queue + " has a debounce key and a "
                    + (request.unique() == null ? "dedupe id" : "unique key")
                    + ", which may name two jobs as its answer: leave one of them out");
        }
        Duration dedupeFor = request.dedupeFor();
        if (dedupeFor != null && request.dedupeId() == null) {
            throw new PushRefusedException(Reason.BOUNDS, "A push into queue " + queue
                    + " says for how long its dedupe id is kept, and has none: add the id, or leave the time out");
        }
        if (dedupeFor != null
                && (dedupeFor.compareTo(LEAST) < 0 || dedupeFor.compareTo(JobStore.DEDUPE_WINDOW_MAX) > 0)) {
            throw new PushRefusedException(Reason.BOUNDS, "The dedupe id of a push into queue " + queue
                    + " is kept for " + DurationText.of(dedupeFor) + ": use 1 ms to "
                    + JobStore.DEDUPE_WINDOW_MAX.toDays()
                    + " days");
        }
        Instant runAt = request.runAt();
        Duration delay = runAt == null ? request.delay() : Duration.between(now, runAt);
        Duration atMost = request.atMost();
        if (atMost != null && request.debounce() == null) {
            throw new PushRefusedException(Reason.BOUNDS, "A push into queue " + queue
                    + " says by how much it is put off at most, and has no debounce key: add the key, or leave the"
                    + " time out");
        }
        if (atMost != null && (atMost.compareTo(DELAY_MAX) > 0
                || atMost.compareTo(delay == null || delay.compareTo(LEAST) < 0 ? LEAST : delay) < 0)) {
            throw new PushRefusedException(Reason.BOUNDS, "A debounced job of queue " + queue
                    + " is put off by at most " + DurationText.of(atMost) + ": use its quiet time to "
                    + DELAY_MAX.toDays() + " days");
        }
        if (delay != null && delay.compareTo(DELAY_MAX) > 0) {
            throw new PushRefusedException(Reason.BOUNDS, "The delay for queue " + queue + " is " + delay.toDays()
                    + " days: use at most " + DELAY_MAX.toDays());
        }
        Duration expires = request.expires();
        if (expires != null && (expires.compareTo(LEAST) < 0 || expires.compareTo(DELAY_MAX) > 0)) {
            throw new PushRefusedException(Reason.BOUNDS, "A job of queue " + queue + " expires after "
                    + DurationText.of(expires) + ": use 1 ms to " + DELAY_MAX.toDays() + " days");
        }
        if (expires != null && delay != null && delay.compareTo(expires) >= 0) {
            throw new PushRefusedException(Reason.BOUNDS, "A job of queue " + queue + " expires after "
                    + DurationText.of(expires) + ", before it is due: use a shorter delay, or let it expire later");
        }
        Duration timeout = request.timeout();
        if (timeout != null && (timeout.compareTo(LEAST) < 0 || timeout.compareTo(QueueOptions.TIMEOUT_LIMIT) > 0)) {
            throw new PushRefusedException(Reason.BOUNDS, "The timeout of a job of queue " + queue + " is "
                    + DurationText.of(timeout) + ": use 1 ms to 7 days");
        }
        Integer attempts = request.attempts();
        if (attempts != null && (attempts < 1 || attempts > 1_000)) {
            throw new PushRefusedException(Reason.BOUNDS,
                    "A job of queue " + queue + " has " + attempts + " attempts: use 1 to 1000");
        }
        checkParams(request.params(), queue);
    }

    /** @throws IllegalArgumentException if a text is no key of a standard queue, or no group of a FIFO queue */
    static void checkKeyOrGroup(QueueName queue, String text) {
        Objects.requireNonNull(text, "key");
        String what = queue.isFifo() ? "group" : "key";
        boolean fits = queue.isFifo()
                ? text.length() <= ID_MAX
                : text.getBytes(StandardCharsets.UTF_8).length <= KeyRule.BYTES_MAX;
        if (text.isEmpty() || !fits || text.chars().anyMatch(Character::isISOControl)
                || !StoredText.flaw(text).isEmpty()) {
            throw new IllegalArgumentException("Queue " + queue + " has no such " + what + ": a " + what + " has 1 to "
                    + (queue.isFifo() ? ID_MAX + " characters" : KeyRule.BYTES_MAX + " bytes")
                    + ", no control characters");
        }
    }

    private static void checkParams(Map<String, String> params, QueueName queue) {
        int chars = params.entrySet().stream().mapToInt(e -> e.getKey().length() + e.getValue().length()).sum();
        if (params.size() > PARAMS_MAX || chars > PARAMS_CHARS_MAX) {
            throw new PushRefusedException(Reason.BOUNDS,
                    "A job of queue " + queue + " has " + params.size() + " params of "
                            + chars + " characters: use at most " + PARAMS_MAX + " of together " + PARAMS_CHARS_MAX);
        }
        params.forEach((name, value) -> {
            checkWhole("name of a param", name, queue);
            checkWhole("param " + name, value, queue);
        });
    }

    private static void checkWhole(String what, String text, QueueName queue) {
        String flaw = StoredText.flaw(text);
        if (!flaw.isEmpty()) {
            throw new PushRefusedException(Reason.BOUNDS,
                    "The " + what + " for queue " + queue + " has " + flaw + ": " + StoredText.RULE);
        }
    }

    private static void checkText(String what, @Nullable String text, int max, QueueName queue) {
        if (text == null) {
            return;
        }
        if (text.isEmpty() || text.length() > max) {
            throw new PushRefusedException(Reason.BOUNDS,
                    "The " + what + " for queue " + queue + " has " + text.length()
                            + " characters: use 1 to " + max);
        }
        checkWhole(what, text, queue);
        if (text.chars().anyMatch(Character::isISOControl)) {
            throw new PushRefusedException(Reason.BOUNDS,
                    "The " + what + " for queue " + queue + " has a control character: remove it");
        }
    }

    private static @Nullable DedupeKey dedupe(PushRequest request, DeclaredQueue queue) {
        String id = request.dedupeId();
        if (id != null) {
            return DedupeKey.ofId(queue.name, request.group(), id, request.dedupeScope());
        }
        return queue.name.isFifo() && request.unique() == null && queue.options().contentDedupe()
                ? DedupeKey.ofPush(queue.name, request)
                : null;
    }
}

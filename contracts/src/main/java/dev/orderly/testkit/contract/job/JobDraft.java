package dev.orderly.testkit.contract.job;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.JobId;
import dev.orderly.job.JobTerms;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.PushRequest.IdempotencyKey;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.NewJob;
import dev.orderly.trace.TraceContext;
import dev.orderly.user.UserId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A job to push, with only the attributes that matter to a test. */
public record JobDraft(NewJob job) {
    public static final QueueName MAIL = new QueueName("mail");
    public static final QueueName ORDERS = new QueueName("orders.fifo");

    /** For the queue {@link #MAIL}. */
    public static JobDraft mail(String body) {
        return to(MAIL, null, body);
    }

    /** For a group of the queue {@link #ORDERS}. */
    public static JobDraft order(String group, String body) {
        return to(ORDERS, group, body);
    }

    /** For a queue, and a group of it. */
    public static JobDraft to(QueueName queue, @Nullable String group, String body) {
        return new JobDraft(
                new NewJob(queue, group, Priority.NORMAL, null, Payload.text(body), Map.of(), null, null, null));
    }

    JobDraft priority(Priority priority) {
        return new JobDraft(new NewJob(job.queue(), job.group(), priority, job.runAt(), job.payload(), job.params(),
                job.user(), job.dedupe(), job.fingerprint(), job.idempotency(), job.claimer(), job.trace(),
                job.origin(), job.terms(), job.unique()));
    }

    JobDraft at(Instant runAt) {
        return new JobDraft(new NewJob(job.queue(), job.group(), job.priority(), runAt, job.payload(), job.params(),
                job.user(), job.dedupe(), job.fingerprint(), job.idempotency(), job.claimer(), job.trace(),
                job.origin(), job.terms(), job.unique()));
    }

    JobDraft payload(Payload payload) {
        return new JobDraft(new NewJob(job.queue(), job.group(), job.priority(), job.runAt(), payload, job.params(),
                job.user(), job.dedupe(), job.fingerprint(), job.idempotency(), job.claimer(), job.trace(),
                job.origin(), job.terms(), job.unique()));
    }

    JobDraft from(@Nullable UserId user, Map<String, String> params) {
        return new JobDraft(
                new NewJob(job.queue(), job.group(), job.priority(), job.runAt(), job.payload(), params, user,
                        job.dedupe(), job.fingerprint(), job.idempotency(), job.claimer(), job.trace(), job.origin(),
                        job.terms(), job.unique()));
    }

    JobDraft traced(TraceContext trace) {
        return new JobDraft(job.traced(trace));
    }

    JobDraft comingFrom(JobId origin) {
        return new JobDraft(job.comingFrom(origin));
    }

    JobDraft terms(JobTerms terms) {
        return new JobDraft(job.on(terms, job.unique()));
    }

    JobDraft expires(Instant at) {
        return terms(job.terms().withExpiresAt(at));
    }

    /** Sets the key by which the queue takes turns. */
    public JobDraft key(String key) {
        return terms(job.terms().withKey(key));
    }

    JobDraft cost(int cost) {
        return terms(job.terms().withCost(cost));
    }

    /** Sets a unique key in the scope of the job's queue and group. */
    public JobDraft unique(String key) {
        JobTerms terms = job.terms();
        return new JobDraft(job.on(
                new JobTerms(terms.expiresAt(), terms.retry(), terms.timeout(), key).withKey(terms.key()),
                DedupeKey.ofUnique(job.queue(), job.group(), key, null)));
    }

    /** Sets a debounce key of the job's queue, with the longest time by which pushes of it put a job off, if any. */
    JobDraft debounce(String key, @Nullable Duration atMost) {
        JobTerms terms = job.terms();
        return new JobDraft(job.on(
                new JobTerms(terms.expiresAt(), terms.retry(), terms.timeout(), null,
                        new JobTerms.Debounce(key, atMost), null).withKey(terms.key()),
                DedupeKey.ofDebounce(job.queue(), key, null)));
    }

    /** Sets a dedupe id that is kept for a time. */
    JobDraft dedupe(String id, Duration window) {
        return dedupe(id).terms(new JobTerms(null, null, null, null, null, window));
    }

    /** Sets a dedupe id in the scope of the job's queue and group. */
    public JobDraft dedupe(String id) {
        return keys(DedupeKey.ofId(job.queue(), job.group(), id), job.idempotency());
    }

    JobDraft idempotency(String key, String request) {
        return keys(job.dedupe(), new IdempotencyKey(hash(key), hash(request)));
    }

    /** Asks for the hand-off to a node. */
    JobDraft claimer(TestNode node) {
        return new JobDraft(job.claimedBy(node.id()));
    }

    /** Sets what the dedupe id stands for. */
    JobDraft standingFor(String content) {
        return new JobDraft(job.fingerprinted(hash(content)));
    }

    private JobDraft keys(@Nullable DedupeKey dedupe, @Nullable IdempotencyKey idempotency) {
        return new JobDraft(
                new NewJob(job.queue(), job.group(), job.priority(), job.runAt(), job.payload(), job.params(),
                        job.user(), dedupe, job.fingerprint(), idempotency, job.claimer(), job.trace(), job.origin(),
                        job.terms(), job.unique()));
    }

    private static DedupeKey hash(String text) {
        return DedupeKey.of(text.getBytes(StandardCharsets.UTF_8));
    }
}

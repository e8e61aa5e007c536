package dev.orderly.job.search;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.QueueName;
import dev.orderly.user.UserId;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The conditions of a search, all of which a job must meet; null and empty mean any.
 *
 * @param group name of a group, exactly
 * @param user id of a user, exactly
 * @param params pushed with at least these params
 * @param text part of the summary of the last failure, or the whole user or group; in any case
 * @param error the error of a dead letter; a job in another state has none
 * @param dedupe the job of which a push with this key would be a duplicate. Keys are kept for
 *     {@link dev.orderly.job.store.JobStore#DEDUPE_WINDOW}, or as their push said
 */
public record JobSearch(@Nullable QueueName queue, @Nullable JobState state, @Nullable String group,
        @Nullable UserId user, Map<String, String> params, @Nullable String text, @Nullable ErrorFingerprint error,
        @Nullable DedupeKey dedupe, JobIdRange ids) {
    /** All jobs of the store. */
    public static final JobSearch ALL = new JobSearch(null, null, null, null, Map.of(), null, null, null,
            JobIdRange.ALL);

    public JobSearch {
        Objects.requireNonNull(ids, "ids");
        Objects.requireNonNull(params, "params");
        params = Map.copyOf(params);
        text = text == null ? null : text.toLowerCase(Locale.ROOT);
    }

    public JobSearch inQueue(QueueName value) {
        Objects.requireNonNull(value, "value");
        return new JobSearch(value, state, group, user, params, text, error, dedupe, ids);
    }

    public JobSearch inState(JobState value) {
        Objects.requireNonNull(value, "value");
        return new JobSearch(queue, value, group, user, params, text, error, dedupe, ids);
    }

    public JobSearch inGroup(String value) {
        Objects.requireNonNull(value, "value");
        return new JobSearch(queue, state, value, user, params, text, error, dedupe, ids);
    }

    public JobSearch ofUser(UserId value) {
        Objects.requireNonNull(value, "value");
        return new JobSearch(queue, state, group, value, params, text, error, dedupe, ids);
    }

    public JobSearch withParams(Map<String, String> value) {
        Objects.requireNonNull(value, "value");
        return new JobSearch(queue, state, group, user, value, text, error, dedupe, ids);
    }

    public JobSearch mentioning(String value) {
        Objects.requireNonNull(value, "value");
        return new JobSearch(queue, state, group, user, params, value, error, dedupe, ids);
    }

    /** Dead letters with this error. */
    public JobSearch deadBy(ErrorFingerprint value) {
        Objects.requireNonNull(value, "value");
        return new JobSearch(queue, JobState.DEAD, group, user, params, text, value, dedupe, ids);
    }

    public JobSearch withDedupe(DedupeKey value) {
        Objects.requireNonNull(value, "value");
        return new JobSearch(queue, state, group, user, params, text, error, value, ids);
    }

    public JobSearch withIds(JobIdRange value) {
        Objects.requireNonNull(value, "value");
        return new JobSearch(queue, state, group, user, params, text, error, dedupe, value);
    }

    /** Whether jobs in this state may match. */
    public boolean wants(JobState other) {
        Objects.requireNonNull(other, "other");
        return state == null || state == other;
    }

    /** Whether jobs that have not ended are wanted, other than dead letters. */
    public boolean wantsLive() {
        return wants(JobState.WAITING) || wants(JobState.DELAYED) || wants(JobState.RUNNING);
    }

    /** The only id that can match; null if several can. */
    public @Nullable JobId single() {
        return ids.isSingle() ? JobId.parse(ids.prefix()) : null;
    }

    /** Whether a job meets all conditions but {@link #dedupe}, which the keys of the store decide. */
    public boolean matches(JobCandidate job) {
        return (queue == null || queue.equals(job.queue())) && wants(job.state())
                && (group == null || group.equals(job.group())) && (user == null || user.equals(job.user()))
                && (error == null || error.equals(job.error())) && ids.contains(job.id())
                && params.entrySet().stream()
                        .allMatch(each -> Objects.equals(each.getValue(), job.params().get(each.getKey())))
                && (text == null || mentions(text, job));
    }

    private static boolean mentions(String text, JobCandidate job) {
        return (job.failure() != null && job.failure().toLowerCase(Locale.ROOT).contains(text))
                || is(text, UserId.column(job.user())) || is(text, job.group());
    }

    private static boolean is(String text, @Nullable String name) {
        return name != null && name.toLowerCase(Locale.ROOT).equals(text);
    }
}

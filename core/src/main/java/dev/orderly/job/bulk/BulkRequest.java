package dev.orderly.job.bulk;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.search.JobSearch;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * What to do with which jobs.
 *
 * @param ids the jobs; empty for all that the search finds
 */
public record BulkRequest(Action action, JobSearch search, List<JobId> ids) {
    /** The largest number of named jobs. */
    public static final int IDS_MAX = 10_000;

    /** The change of each job. */
    public enum Action {
        /** Dead letters wait again. */
        REDRIVE,
        /** Jobs that have not ended never run, or get their cancellation signal; dead letters are given up. */
        CANCEL;

        /** The name in lower case, as in JSON. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** @throws IllegalArgumentException listing the actions */
        public static Action parse(String text) {
            Objects.requireNonNull(text, "text");
            for (Action action : values()) {
                if (action.text().equals(text)) {
                    return action;
                }
            }
            throw new IllegalArgumentException("\"" + text + "\" is no bulk operation: use redrive or cancel");
        }
    }

    /** @throws IllegalArgumentException if no job in the state of the search can be changed so, or of too many ids */
    public BulkRequest {
        Objects.requireNonNull(action, "action");
        ids = ids.stream().distinct().toList();
        if (ids.size() > IDS_MAX) {
            throw new IllegalArgumentException(
                    ids.size() + " ids are too many for one operation: name at most " + IDS_MAX + ", or a search");
        }
        if (action == Action.REDRIVE && !search.wants(JobState.DEAD)) {
            throw new IllegalArgumentException("Only dead letters can be redriven: leave the state out, or use dead");
        }
        if (search.state() == JobState.DONE || search.state() == JobState.CANCELLED) {
            throw new IllegalArgumentException("Jobs that are " + search.state().text()
                    + " have ended: search for waiting, delayed, running or dead jobs");
        }
        search = action == Action.REDRIVE ? search.inState(JobState.DEAD) : search;
    }

    /** The selection in words, without values that may be secret. */
    public String selection() {
        if (!ids.isEmpty()) {
            return ids.size() + " named jobs";
        }
        StringBuilder words = new StringBuilder("jobs found");
        if (search.queue() != null) {
            words.append(", queue ").append(search.queue());
        }
        if (search.state() != null) {
            words.append(", state ").append(search.state().text());
        }
        if (search.error() != null) {
            words.append(", error ").append(search.error());
        }
        if (search.group() != null) {
            words.append(", group ").append(search.group());
        }
        if (search.user() != null) {
            words.append(", user ").append(search.user());
        }
        if (!search.params().isEmpty()) {
            words.append(", params ").append(search.params().keySet());
        }
        if (search.text() != null) {
            words.append(", error text");
        }
        return words.toString();
    }
}

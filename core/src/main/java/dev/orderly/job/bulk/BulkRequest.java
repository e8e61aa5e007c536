package dev.orderly.job.bulk;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.search.JobSearch;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** What to do with which jobs. */
public record BulkRequest(Action action, Selection selection) {
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

    /** The jobs of an operation. */
    public sealed interface Selection {
        /**
         * Jobs by their ids; for none the operation changes nothing.
         *
         * @param ids at most {@value #IDS_MAX}; of a repeated id the first counts
         */
        record Named(List<JobId> ids) implements Selection {
            /** @throws IllegalArgumentException of too many ids */
            public Named {
                Objects.requireNonNull(ids, "ids");
                ids = ids.stream().distinct().toList();
                if (ids.size() > IDS_MAX) {
                    throw new IllegalArgumentException(ids.size()
                            + " ids are too many for one operation: name at most " + IDS_MAX + ", or a search");
                }
            }
        }

        /** All jobs that a search finds. */
        record Found(JobSearch search) implements Selection {
            public Found {
                Objects.requireNonNull(search, "search");
            }
        }
    }

    /** @throws IllegalArgumentException if no job in the state of the search can be changed so */
    public BulkRequest {
        Objects.requireNonNull(action, "action");
        Objects.requireNonNull(selection, "selection");
        selection = switch (selection) {
            case Selection.Named named -> named;
            case Selection.Found(JobSearch search) -> new Selection.Found(changeable(action, search));
        };
    }

    /** An operation on named jobs. */
    public static BulkRequest named(Action action, List<JobId> ids) {
        return new BulkRequest(action, new Selection.Named(ids));
    }

    /** An operation on all jobs that a search finds. */
    public static BulkRequest found(Action action, JobSearch search) {
        return new BulkRequest(action, new Selection.Found(search));
    }

    private static JobSearch changeable(Action action, JobSearch search) {
        if (action == Action.REDRIVE && !search.wants(JobState.DEAD)) {
            throw new IllegalArgumentException("Only dead letters can be redriven: leave the state out, or use dead");
        }
        if (search.state() == JobState.DONE || search.state() == JobState.CANCELLED) {
            throw new IllegalArgumentException("Jobs that are " + search.state().text()
                    + " have ended: search for waiting, delayed, running or dead jobs");
        }
        return action == Action.REDRIVE ? search.inState(JobState.DEAD) : search;
    }

    /** The selection in words, without values that may be secret. */
    public String words() {
        return switch (selection) {
            case Selection.Named named -> named.ids.size() + " named jobs";
            case Selection.Found found -> words(found.search);
        };
    }

    private static String words(JobSearch search) {
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

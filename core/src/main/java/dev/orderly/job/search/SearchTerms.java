package dev.orderly.job.search;

import dev.orderly.Internal;
import dev.orderly.job.DedupeKey;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.QueueName;
import dev.orderly.job.present.Redaction;
import dev.orderly.user.UserId;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The conditions of a search as named texts, as a query of the API, a form and the command line have them. */
@Internal(to = "dev.orderly")
public final class SearchTerms {
    /**
     * The names. {@code q}: the beginning of an id with at least eight digits, else a part of the text of the
     * error, or a whole user or group.
     * {@code param}: {@code name=value}. {@code dedupe}: a dedupe id, with its queue and, on a FIFO queue, its group.
     * {@code from} and {@code to}: moments of the push, the latter exclusive.
     */
    public static final List<String> NAMES = List.of("queue", "state", "group", "user", "param", "dedupe", "q", "id",
            "error", "from", "to");
    private static final int ID_DIGITS = 8;
    private static final int TEXT_MAX = 500;

    private SearchTerms() {}

    /** A text that is not valid for its name. */
    public static final class InvalidException extends IllegalArgumentException {
        private static final long serialVersionUID = 1;
        private final String name;
        private final String value;

        InvalidException(String name, String value, String remedy) {
            super(remedy);
            this.name = name;
            this.value = value;
        }

        /** The name of the condition. */
        public String name() {
            return name;
        }

        public String value() {
            return value;
        }

        /** What to use instead. */
        public String remedy() {
            return String.valueOf(getMessage());
        }
    }

    /**
     * Reads conditions; a null or empty text is none.
     *
     * @param redaction masks values that the reader must not see, and so may not look for either: whether a job is
     *     found, their number and their order would tell them
     * @throws InvalidException if a text is not valid; it names the condition and the remedy
     */
    public static JobSearch read(Function<String, @Nullable String> texts, Redaction redaction) {
        Objects.requireNonNull(redaction, "redaction");
        JobSearch search = JobSearch.ALL;
        for (String name : NAMES) {
            String text = texts.apply(name);
            if (text != null && !text.isBlank() && !name.equals("dedupe")) {
                search = name.equals("param")
                        ? search.withParams(param(checked(name, text.strip()), redaction))
                        : with(search, name, checked(name, text.strip()));
            }
        }
        String dedupe = texts.apply("dedupe");
        return dedupe == null || dedupe.isBlank() ? search : withDedupe(search, checked("dedupe", dedupe));
    }

    private static String checked(String name, String text) {
        if (text.length() > TEXT_MAX) {
            throw new InvalidException(name, text.substring(0, 40) + "...", "use at most " + TEXT_MAX + " characters");
        }
        return text;
    }

    private static JobSearch with(JobSearch search, String name, String text) {
        return switch (name) {
            case "queue" -> search.inQueue(parsed(name, text, QueueName::new));
            case "state" -> search.inState(parsed(name, text, JobState::parse));
            case "group" -> search.inGroup(text);
            case "user" -> search.ofUser(parsed(name, text, UserId::new));
            case "q" -> words(search, text);
            case "id" -> search.withIds(within(search.ids(), parsed(name, text, JobIdRange::startingWith)));
            case "error" -> deadBy(search, parsed(name, text, ErrorFingerprint::parse));
            case "from" -> search.withIds(search.ids().from(moment(name, text)));
            case "to" -> search.withIds(search.ids().before(moment(name, text)));
            default -> throw new IllegalStateException("The condition " + name + " is not read");
        };
    }

    private static JobSearch words(JobSearch search, String text) {
        boolean id = text.length() >= ID_DIGITS && JobIdRange.isPrefix(text.toLowerCase(Locale.ROOT));
        return id ? search.withIds(within(search.ids(), JobIdRange.startingWith(text))) : search.mentioning(text);
    }

    private static JobIdRange within(JobIdRange range, JobIdRange found) {
        return new JobIdRange(Math.max(range.first(), found.first()), Math.min(range.last(), found.last()),
                found.prefix());
    }

    private static JobSearch deadBy(JobSearch search, ErrorFingerprint error) {
        if (!search.wants(JobState.DEAD)) {
            throw new InvalidException("error", error.toString(),
                    "only dead letters have an error: leave the state out");
        }
        return search.deadBy(error);
    }

    private static JobSearch withDedupe(JobSearch search, String id) {
        QueueName queue = search.queue();
        if (queue == null || (queue.isFifo() && search.group() == null)) {
            throw new InvalidException("dedupe", id,
                    "a dedupe id belongs to a queue, and on a FIFO queue to a group: name them");
        }
        return search.withDedupe(DedupeKey.ofId(queue, queue.isFifo() ? search.group() : null, id));
    }

    private static Map<String, String> param(String text, Redaction redaction) {
        int equals = text.indexOf('=');
        if (equals < 1) {
            throw new InvalidException("param", text, "use name=value");
        }
        String name = text.substring(0, equals);
        if (redaction.isNamed(name)) {
            throw new InvalidException("param", name + "=" + Redaction.MASK, "the values of " + name
                    + " are masked (redact), so no search compares them: search by another condition, and reveal a job"
                    + " to see its value");
        }
        return Map.of(name, text.substring(equals + 1));
    }

    private static Instant moment(String name, String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException _) {
            throw new InvalidException(name, text, "use a moment such as 2026-03-01T12:00:00Z");
        }
    }

    private static <T> T parsed(String name, String text, Function<String, T> parse) {
        try {
            return parse.apply(text);
        } catch (IllegalArgumentException e) {
            throw new InvalidException(name, text, String.valueOf(e.getMessage()));
        }
    }

    /**
     * Reads the cursor of a page; null for the first page.
     *
     * @throws InvalidException if the text is no cursor
     */
    public static @Nullable JobId before(@Nullable String text) {
        return text == null || text.isBlank() ? null : parsed("before", text.strip(), JobId::parse);
    }
}

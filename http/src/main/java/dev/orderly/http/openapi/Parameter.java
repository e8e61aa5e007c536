package dev.orderly.http.openapi;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.Priority;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A parameter of a request, or a header of an answer.
 *
 * @param in path, query or header
 * @param facets further keywords of its schema, as {@link Doc#facets}
 */
public record Parameter(String name, String in, boolean required, Class<?> type, String facets, String description) {
    public static final Parameter LIMIT = query("limit", Integer.class,
            "Jobs per page.").with("minimum: 1, maximum: 200, default: 50");
    public static final Parameter IDEMPOTENCY_KEY = header("Idempotency-Key", "Valid for 24 hours, for this queue and"
            + " user. The same key with the same request is answered with the first job, with another request 409. A"
            + " request of several lines is identified by the key and its number of lines.")
            .with("minLength: 1, maxLength: 255");
    public static final Parameter ATTEMPT_TOKEN = header("Orderly-Attempt-Token", "The token that came with the job:"
            + " the header of a webhook, or `token` of a claim. The whole authority to report about this attempt.")
            .with("maxLength: 200").always();

    public static final Parameter BATCH = query("batch", "The open batch that the job is a member of. Of a closed one"
            + " only with `parent`. A push that an earlier job answers makes that job no member.")
            .with("pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,79}$'");
    public static final Parameter PARENT = query("parent", JobId.class,
            "The running member of `batch` that pushes, with"
                    + " the `Orderly-Attempt-Token` of its attempt.");

    private static final Pattern NAME = Pattern.compile("([a-z-]+)/\\{([a-z]+)}");
    /** The names in paths, each behind the part before it. */
    private static final Map<String, Parameter> PATH = Map.ofEntries(
            path("queues", "queue", "The queue's name; FIFO if it ends in `.fifo`.",
                    "pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,79}$'"),
            path("batches", "batch", "The batch's name.", "pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,79}$'"),
            Map.entry("jobs/id", new Parameter("id", "path", true, JobId.class, "",
                    "The id with which the push was answered.")),
            path("steps", "step", "The name of the step.",
                    "pattern: '^[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}$'"),
            path("events", "event", "The name of the event.",
                    "pattern: '^[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}$'"),
            path("keys", "key", "A key of a standard queue, or a group of a FIFO queue.",
                    "minLength: 1, maxLength: 256"),
            path("limits", "limit",
                    "The name of a limit, or `queue:` and the name of the queue that has it for itself.",
                    "maxLength: 86"),
            path("rooms", "room", "The room's name: 1 to 40 lower-case letters, digits, '-' and '_', starting with a"
                    + " letter or digit.", ""),
            path("invitations", "series", "The id of a series of invitations, as it was shown when they were issued.",
                    "pattern: '^[0-9a-f]{12}$'"),
            path("schedules", "schedule", "The name of a schedule.", "maxLength: 71"),
            path("users", "id", "The user's id: 1 to 256 characters, no control characters.", ""),
            path("tokens", "name", "The name of the token.", ""),
            path("nodes", "node", "The id of a node.", "maxLength: 100"),
            path("login", "code", "From the path of the link.", ""), Map.entry("bulk/operation",
                    new Parameter("operation", "path", true, UUID.class, "", "The id of a bulk operation.")));

    /** What a push says beside its payload. New ones come last, since methods of generated clients have this order. */
    public static final List<Parameter> PUSH = List.of(
            query("group", "Jobs of one group run one at a time in push order. Required on a FIFO queue, refused on a"
                    + " standard queue.").with("minLength: 1, maxLength: 256"),
            query("dedupe", "A second push with this id within five minutes is answered with the first job. Without it"
                    + " a FIFO queue compares content type, body, params and user.")
                    .with("minLength: 1, maxLength: 256"),
            query("delay", "The earliest start, from now: a number with ms, s, m, h or d, or ISO-8601; at most 365"
                    + " days. Standard queues only.").with("examples: ['30s', 'PT30S']"),
            query("priority", Priority.class, "Standard queues only."),
            query("user", "The user to whom the job belongs.").with("minLength: 1, maxLength: 256"), IDEMPOTENCY_KEY,
            query("unique", "If a job with this key waits (same queue, same group), it is the answer, as a duplicate:"
                    + " nothing is stored, whatever the payload. While such a job runs, one next job is stored. Not"
                    + " together with `dedupe`.").with("minLength: 1, maxLength: 256"),
            query("expires",
                    "The time from now within which an attempt has to start: a number with ms, s, m, h or d, or"
                            + " ISO-8601; at most 365 days. Otherwise the job ends as cancelled, with that reason.")
                    .with("examples: ['2m', 'PT2M']"),
            query("attempts", Integer.class, "The number of attempts, in place of the queue's.")
                    .with("minimum: 1, maximum: 1000"),
            query("timeout", "The longest time of one attempt, in place of the queue's: as `expires`, at most 7 days.")
                    .with("examples: ['30m', 'PT30M']"),
            query("debounce", "If a job with this key waits (same queue), the push replaces its payload, params and"
                    + " terms, and puts it off until `delay` from now: the quiet time, without which it only replaces."
                    + " While such a job runs, one next job is stored. Standard queues only; not together with"
                    + " `dedupe` or `unique`.").with("minLength: 1, maxLength: 256"),
            query("at-most", "The longest time, from the first push of the job on, by which pushes of `debounce` put it"
                    + " off: as `expires`.").with("examples: ['1m', 'PT1M']"),
            query("dedupe-for", "The time for which `dedupe` is kept, in place of five minutes: as `expires`, at most 7"
                    + " days. An id with a time is another id than the same without.")
                    .with("examples: ['1h', 'PT1H']"),
            query("cost", Integer.class, "The tokens of each rate that a start of the job takes, and the turns of its"
                    + " key; 1 if not given. No more than a rate of the queue gives in its period.")
                    .with("minimum: 1, maximum: 1000000"),
            BATCH, PARENT);

    public static Parameter query(String name, String description) {
        return query(name, String.class, description);
    }

    public static Parameter query(String name, Class<?> type, String description) {
        return new Parameter(name, "query", false, type, "", description);
    }

    public static Parameter header(String name, String description) {
        return new Parameter(name, "header", false, String.class, "", description);
    }

    /** The state of jobs, as a condition. */
    public static Parameter state(String description) {
        return query("state", JobState.class, description);
    }

    /** Parameters with the names, types and descriptions of the members of a record. */
    public static Stream<Parameter> query(Class<? extends Record> members) {
        return Stream.of(members.getRecordComponents()).map(each -> {
            Doc doc = each.getAnnotation(Doc.class);
            return query(each.getName(), each.getType(), doc == null ? "" : doc.value())
                    .with(doc == null ? "" : doc.facets());
        });
    }

    /** The parameters that a path names. */
    static List<Parameter> of(String path) {
        return NAME.matcher(path).results().map(name -> PATH.get(name.group(1) + "/" + name.group(2))).toList();
    }

    /** A copy with further keywords of the schema. */
    public Parameter with(String keywords) {
        return new Parameter(name, in, required, type, keywords, description);
    }

    /** A copy of another type. */
    public Parameter of(Class<?> other) {
        return new Parameter(name, in, required, other, facets, description);
    }

    /** A copy that every request has. */
    public Parameter always() {
        return new Parameter(name, in, true, type, facets, description);
    }

    private static Map.Entry<String, Parameter> path(String before, String name, String description, String facets) {
        return Map.entry(before + "/" + name,
                new Parameter(name, "path", true, String.class, facets, description));
    }
}

package dev.orderly.http.intake;

import dev.orderly.job.QueueName;
import dev.orderly.room.Rate;
import dev.orderly.web.path.PathTemplate;
import dev.orderly.web.user.PageOrigins;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A path of the public edge whose POST requests become jobs of one queue.
 *
 * <p>A segment of the form {@code {name}} matches any non-empty segment, and reaches the handler, percent-decoded, as a
 * param; {@code {group}}, {@code {dedupe}}, {@code {unique}} and {@code {debounce}} are also the job's group, dedupe
 * id, unique key and debounce key. The query string of a request is not part of the job.
 *
 * <p>A dedupe id, a unique key, a debounce key and an idempotency key belong to the user, or to the address of a
 * request without a user: those of another sender are others.
 *
 * @param path such as {@code /checkout/{group}/{dedupe}}; not below {@code /.orderly}
 * @param queue a declared queue; a FIFO queue needs {@code {group}} in the path or the user as the group, a standard
 *     queue must not have either
 * @param accepts the accepted media types, a subset of {@link ContentTypes#ALL}; empty for all of them
 * @param users whose requests become jobs
 * @param group where the group comes from
 * @param limits how many requests of one sender become jobs
 * @param terms what a push of this route says of its job in place of the queue
 * @param origins further origins whose pages may push, without credentials of users
 */
public record Route(String path, String queue, List<String> accepts, Users users, Group group, Limits limits,
        Terms terms,
        PageOrigins origins) {
    /** The names in a path of which each may name the job that answers. */
    public static final Set<String> ANSWERS = Set.of("dedupe", "unique", "debounce");

    /** Whose requests become jobs. */
    public enum Users {
        /** Only those of authenticated users; others are answered 401. */
        REQUIRED,
        /** All; the job of an authenticated user belongs to that user. */
        OPTIONAL,
        /** All; jobs belong to no user, and tokens are not looked at. */
        NONE
    }

    /** The source of a job's group. */
    public enum Group {
        /** The {@code {group}} of the path: any sender may choose any group. */
        PATH,
        /** The id of the user, so that nobody pushes into the group of another. */
        USER
    }

    /**
     * The limits of a route on one node: as many requests at once, then evenly spread over the period. A request beyond
     * is answered 429.
     *
     * @param perUser of one user; null for no limit
     * @param perAddress of one address, an IPv6 /64 counts as one; null for no limit
     */
    public record Limits(@Nullable Rate perUser, @Nullable Rate perAddress) {
        /** No limits. */
        public static final Limits NONE = new Limits(null, null);
    }

    /**
     * What a push says of its job in place of the queue; null as the queue says.
     *
     * @param expires the time from the push on within which an attempt has to start
     * @param attempts the number of attempts
     * @param timeout the longest time of one attempt
     * @param delay the time from the push on until the job is due; the quiet time of a debounce key
     * @param atMost the longest time by which pushes of a debounce key put off a job
     * @param dedupeFor the time for which a dedupe id is kept
     * @param cost the tokens of each rate that a start takes
     */
    public record Terms(@Nullable Duration expires, @Nullable Integer attempts, @Nullable Duration timeout,
            @Nullable Duration delay, @Nullable Duration atMost, @Nullable Duration dedupeFor,
            @Nullable Integer cost) {
        /** As the queue says. */
        public static final Terms NONE = new Terms(null, null, null, null, null, null, null);
    }

    /** @throws IllegalArgumentException naming the route, the rule it breaks and the remedy */
    public Route {
        accepts = List.copyOf(accepts);
        PathTemplate pattern = PathTemplate.parse(path);
        boolean fifo = new QueueName(queue).isFifo();
        boolean named = pattern.names().contains("group");
        if (group == Group.USER && (named || !fifo || users != Users.REQUIRED)) {
            throw new IllegalArgumentException("Route " + path + " has the user as the group of its jobs: that needs"
                    + " required users, a queue whose name ends in .fifo, and no {group} in the path");
        }
        if (fifo && !named && group == Group.PATH) {
            throw new IllegalArgumentException("Route " + path + " leads to FIFO queue " + queue
                    + " without a group: put {group} into the path, take the user as the group, or use a queue whose"
                    + " name does not end in .fifo");
        }
        if (!fifo && named) {
            throw new IllegalArgumentException("Route " + path + " has {group}, but " + queue
                    + " is a standard queue: rename the segment, or use a queue whose name ends in .fifo");
        }
        if (limits.perUser() != null && users == Users.NONE) {
            throw new IllegalArgumentException("Route " + path + " limits each user, but looks at no user: drop the"
                    + " limit per user, or let its users be optional or required");
        }
        if (path.equals("/.orderly") || path.startsWith("/.orderly/")) {
            throw new IllegalArgumentException("Route " + path + " lies below /.orderly, which is reserved: move it");
        }
        List<String> answers = pattern.names().stream().filter(ANSWERS::contains).sorted().toList();
        if (answers.size() > 1) {
            throw new IllegalArgumentException("Route " + path + " has {" + String.join("} and {", answers)
                    + "}, which may name two jobs as the answer: rename one of them");
        }
        if (fifo && (terms.delay() != null || pattern.names().contains("debounce"))) {
            throw new IllegalArgumentException("Route " + path + " leads to FIFO queue " + queue
                    + ", which keeps push order: drop its delay and {debounce}, or use a standard queue");
        }
        if (terms.atMost() != null && !pattern.names().contains("debounce")) {
            throw new IllegalArgumentException("Route " + path
                    + " puts jobs off by a time at most, and has no {debounce} in its path: add it, or drop the time");
        }
        if (terms.dedupeFor() != null && !pattern.names().contains("dedupe")) {
            throw new IllegalArgumentException("Route " + path
                    + " keeps dedupe ids for a time, and has no {dedupe} in its path: add it, or drop the time");
        }
        ContentTypes.check(path, accepts);
    }

    /** A route without limits, for pages of the requested host. */
    public Route(String path, String queue, List<String> accepts, Users users, Group group) {
        this(path, queue, accepts, users, group, Limits.NONE, Terms.NONE, PageOrigins.OWN);
    }

    public Route withLimits(Limits value) {
        return new Route(path, queue, accepts, users, group, value, terms, origins);
    }

    public Route withTerms(Terms value) {
        return new Route(path, queue, accepts, users, group, limits, value, origins);
    }

    public Route withOrigins(PageOrigins value) {
        return new Route(path, queue, accepts, users, group, limits, terms, value);
    }

    /** A route for all senders. */
    public Route(String path, String queue, List<String> accepts) {
        this(path, queue, accepts, Users.OPTIONAL, Group.PATH);
    }

    /** A route for all senders that accepts every content type. */
    public static Route of(String path, String queue) {
        return new Route(path, queue, List.of());
    }
}

package dev.orderly.config;

import dev.orderly.config.schema.CheckedSection;
import dev.orderly.config.schema.KeySpec;
import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.schema.KeySpec.Group;
import dev.orderly.config.schema.KeySpec.Listed;
import dev.orderly.config.schema.KeySpec.Many;
import dev.orderly.config.schema.RoomValueTypes;
import dev.orderly.config.schema.UnitText;
import dev.orderly.config.schema.ValueType;
import dev.orderly.config.schema.ValueTypes;
import dev.orderly.http.intake.Route;
import dev.orderly.job.JobTerms;
import dev.orderly.job.QueueName;
import dev.orderly.room.Rate;
import dev.orderly.web.path.PathTemplate;
import dev.orderly.web.user.PageOrigins;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A public route that pushes jobs.
 *
 * @param accepts media types; empty for all known types
 */
public record RouteConfig(PathTemplate post, QueueName queue, List<String> accepts, Route.Users users,
        Route.Group group, Route.Limits limits, Route.Terms terms, PageOrigins origins) {
    static final KeySpec.Key<PathTemplate> POST = new KeySpec.Key<>("post", ValueTypes.routePath(),
            new Absent.Refused(),
            "The path that takes POST. `{group}` is the job's group, `{dedupe}` its dedupe id, `{unique}` its unique"
                    + " key, `{debounce}` its debounce key; other names become params of the job.");
    static final KeySpec.Key<QueueName> QUEUE = new KeySpec.Key<>("queue", ValueTypes.queue(),
            new Absent.Refused(),
            "The queue of the jobs; one of `queues`.");
    static final Many<String> ACCEPTS = new Many<>("accepts", ValueTypes.mediaType(),
            new Absent.Depends("all known types"),
            "The accepted content types.");
    static final KeySpec.Key<Route.Users> USERS = new KeySpec.Key<>("users",
            ValueTypes.choice(Route.Users.class), new Absent.Means("optional"),
            "Whose requests become jobs: only those of users with a valid token (`required`, others get 401), all"
                    + " (`optional`: the job of a user belongs to that user), or all without looking at tokens "
                    + "(`none`)."
                    + " Dedupe ids and idempotency keys belong to the user, otherwise to the address.");
    static final KeySpec.Key<Route.Group> GROUP = new KeySpec.Key<>("group",
            ValueTypes.choice(Route.Group.class), new Absent.Means("path"),
            "Where the group of a FIFO job comes from: the `{group}` of the path, which any sender may choose, or "
                    + "the id"
                    + " of the user, which needs `users: required`.");

    static final KeySpec.Key<Rate> PER_USER = new KeySpec.Key<>("per-user", pushes("10 per 1m"),
            new Absent.Depends("none"), "Requests of one user: so many at once, then evenly spread over the time.");
    static final KeySpec.Key<Rate> PER_ADDRESS = new KeySpec.Key<>("per-address", pushes("60 per 1m"),
            new Absent.Depends("none"), "The same for one address; an IPv6 /64 counts as one address.");
    static final Group LIMIT = new Group("limit", List.of(PER_USER, PER_ADDRESS),
            "How many requests of one sender become jobs, on each node; further ones are answered 429 with"
                    + " `Retry-After`.");
    static final Many<String> ORIGINS = new Many<>("origins", UserConfig.originType(),
            new Absent.Depends("the sites of `users.origins`"),
            "Further sites whose pages may push here (CORS), without the cookie of a user.");
    static final KeySpec.Key<Duration> EXPIRES = new KeySpec.Key<>("expires",
            ValueTypes.duration("1ms", "365d", "2m"), new Absent.Depends("never"),
            "The time from the push on within which an attempt has to start; otherwise the job ends as cancelled.");
    static final KeySpec.Key<Long> ATTEMPTS = new KeySpec.Key<>("attempts", ValueTypes.count(1, 1_000, "3"),
            new Absent.Depends("as the queue says"), "The number of attempts of the jobs.");
    static final KeySpec.Key<Duration> TIMEOUT = new KeySpec.Key<>("timeout",
            ValueTypes.duration("1ms", "7d", "30m"), new Absent.Depends("as the queue says"),
            "The longest time of one attempt.");
    static final KeySpec.Key<Duration> DELAY = new KeySpec.Key<>("delay",
            ValueTypes.duration("1ms", "365d", "5s"), new Absent.Depends("none"),
            "The time from the push on until the job is due. With `{debounce}` in the path its quiet time: each push"
                    + " replaces the payload of the job that waits and begins the time anew.");
    static final KeySpec.Key<Duration> AT_MOST = new KeySpec.Key<>("at-most",
            ValueTypes.duration("1ms", "365d", "1m"), new Absent.Depends("none"),
            "The longest time, from the first push of a job on, by which pushes of its `{debounce}` put it off.");
    static final KeySpec.Key<Duration> DEDUPE_FOR = new KeySpec.Key<>("dedupe-for",
            ValueTypes.duration("1ms", "7d", "1h"), new Absent.Depends("five minutes"),
            "The time for which a `{dedupe}` is kept.");
    static final KeySpec.Key<Long> COST = new KeySpec.Key<>("cost", ValueTypes.count(1, JobTerms.COST_MAX, "5"),
            new Absent.Means("1"),
            "The tokens of each rate that a start of the jobs takes, and the turns of their key.");
    static final Listed ROUTES = new Listed("routes",
            List.of(POST, QUEUE, ACCEPTS, USERS, GROUP, LIMIT, EXPIRES, ATTEMPTS, TIMEOUT, DELAY, AT_MOST, DEDUPE_FOR,
                    COST, ORIGINS),
            "The public routes that push jobs. A route to a FIFO queue has `{group}` in its path, or `group: user`.");

    public RouteConfig {
        accepts = List.copyOf(accepts);
    }

    /** The route of the edge. */
    public Route route() {
        return new Route(post.text(), queue.value(), accepts, users, group, limits, terms, origins);
    }

    /** A warning for the operator, if any sender may push into the group of any other. */
    public Optional<String> warning() {
        return queue.isFifo() && group == Route.Group.PATH
                ? Optional.of("Route " + post.text() + ": anybody may push into anybody's group of " + queue
                        + ". If its senders sign in, set users: required and group: user, and drop {group}")
                : Optional.empty();
    }

    /** Its line in the log, defaults included, without secrets. */
    String inForce() {
        return post.text() + " -> " + queue
                + (accepts.isEmpty() ? "" : ", accepts " + String.join(", ", accepts))
                + (users == Route.Users.OPTIONAL ? "" : ", users " + ValueTypes.lower(users))
                + (group == Route.Group.PATH ? "" : ", group " + ValueTypes.lower(group))
                + (limits.perUser() == null ? "" : ", per user " + limits.perUser())
                + (limits.perAddress() == null ? "" : ", per address " + limits.perAddress())
                + (terms.expires() == null ? "" : ", expires " + UnitText.text(terms.expires()))
                + (terms.attempts() == null ? "" : ", attempts " + terms.attempts())
                + (terms.timeout() == null ? "" : ", timeout " + UnitText.text(terms.timeout()))
                + (terms.delay() == null ? "" : ", delay " + UnitText.text(terms.delay()))
                + (terms.atMost() == null ? "" : ", at most " + UnitText.text(terms.atMost()))
                + (terms.dedupeFor() == null ? "" : ", dedupe for " + UnitText.text(terms.dedupeFor()))
                + (terms.cost() == null ? "" : ", cost " + terms.cost())
                + (origins.listed().isEmpty() ? "" : ", origins " + String.join(", ", new TreeSet<>(origins.listed())));
    }

    static List<RouteConfig> read(CheckedSection file, Set<QueueName> queues) {
        List<RouteConfig> routes = new ArrayList<>();
        Map<PathTemplate, String> seen = new TreeMap<>();
        for (CheckedSection at : file.items(ROUTES)) {
            Optional<PathTemplate> post = at.value(POST);
            Optional<QueueName> queue = at.value(QUEUE);
            post.ifPresent(path -> {
                String before = seen.putIfAbsent(path, at.path());
                if (before != null) {
                    at.report(POST, before + " takes the same requests",
                            "remove one of the two routes");
                }
            });
            queue.filter(name -> !queues.contains(name)).ifPresent(
                    name -> QueueConfig.undeclared(at, QUEUE, name, queues));
            if (post.isPresent() && queue.isPresent()) {
                RouteConfig route = new RouteConfig(post.get(), queue.get(), at.values(ACCEPTS),
                        at.value(USERS).orElse(Route.Users.OPTIONAL),
                        at.value(GROUP).orElse(Route.Group.PATH), limits(at),
                        new Route.Terms(at.value(EXPIRES).orElse(null),
                                at.value(ATTEMPTS).map(Long::intValue).orElse(null),
                                at.value(TIMEOUT).orElse(null), at.value(DELAY).orElse(null),
                                at.value(AT_MOST).orElse(null), at.value(DEDUPE_FOR).orElse(null),
                                at.value(COST).map(Long::intValue).orElse(null)),
                        new PageOrigins(at.values(ORIGINS)));
                group(at, route);
                users(at, route, file.has(UserConfig.USERS));
                answers(at, route);
                routes.add(route);
            }
        }
        return routes;
    }

    /** The rules of {@link Route} for what names the job that answers. */
    private static void answers(CheckedSection at, RouteConfig route) {
        Set<String> names = route.post().names();
        List<String> answers = names.stream().filter(Route.ANSWERS::contains).sorted().toList();
        boolean fifo = route.queue().isFifo();
        if (answers.size() > 1) {
            at.report(POST, "{" + String.join("} and {", answers) + "} may name two jobs as the answer",
                    "rename one of them");
        }
        if (fifo && names.contains("debounce")) {
            at.report(POST, "Queue " + route.queue() + " is FIFO and keeps push order, which a debounced push would"
                    + " change", "rename {debounce}, or use a standard queue");
        }
        if (fifo && route.terms().delay() != null) {
            at.report(DELAY, "Queue " + route.queue() + " is FIFO and keeps push order",
                    "remove the key, or use a standard queue");
        }
        if (route.terms().atMost() != null && !names.contains("debounce")) {
            at.report(AT_MOST, "The path has no {debounce}", "add it, or remove the key");
        }
        if (route.terms().dedupeFor() != null && !names.contains("dedupe")) {
            at.report(DEDUPE_FOR, "The path has no {dedupe}", "add it, or remove the key");
        }
    }

    private static Route.Limits limits(CheckedSection route) {
        CheckedSection at = route.below(LIMIT);
        return new Route.Limits(at.value(PER_USER).orElse(null),
                at.value(PER_ADDRESS).orElse(null));
    }

    private static void users(CheckedSection at, RouteConfig route, boolean known) {
        if (route.users() == Route.Users.REQUIRED && !known) {
            at.report(USERS, "The route requires users, and no keys verify their "
                    + "tokens",
                    "configure users.jwt, see docs/users.md");
        }
        if (route.limits().perUser() != null && route.users() == Route.Users.NONE) {
            at.below(LIMIT).report(PER_USER,
                    "The route looks at no user", "remove the key, or set users: optional or required");
        }
        if (route.group() == Route.Group.USER && route.users() != Route.Users.REQUIRED) {
            at.report(GROUP, "The user is the group, so every request needs a user",
                    "set users: required");
        }
        if (route.group() == Route.Group.USER && route.post().names().contains("group")) {
            at.report(POST, "The user is the group, and the path names another",
                    "drop {group} from the path, or the key group");
        }
    }

    private static void group(CheckedSection at, RouteConfig route) {
        PathTemplate post = route.post();
        QueueName queue = route.queue();
        if (queue.isFifo() && !post.names().contains("group") && route.group() == Route.Group.PATH) {
            at.report(POST,
                    "Queue " + queue + " is FIFO, so the path must contain the job's group",
                    "put {group} into the path, such as " + post.text() + "/{group}, or set group: user");
        } else if (!queue.isFifo() && route.group() == Route.Group.USER) {
            at.report(GROUP,
                    "Queue " + queue + " is a standard queue, which has no groups",
                    "remove the key, or use a queue whose name ends in .fifo");
        } else if (!queue.isFifo() && post.names().contains("group")) {
            at.report(POST, "Queue " + queue + " is a standard queue, which has no groups",
                    "use a name other than {group}, or a queue whose name ends in .fifo");
        }
    }

    private static ValueType<Rate> pushes(String example) {
        return new ValueType<>("a number of requests and a time of 1s to 1h", RoomValueTypes.rate("").read(), example);
    }
}

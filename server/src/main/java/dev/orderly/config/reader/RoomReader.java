package dev.orderly.config.reader;

import dev.orderly.config.ConfigProblem;
import dev.orderly.config.RoomConfig;
import dev.orderly.config.schema.Amounts;
import dev.orderly.config.schema.RoomSchema;
import dev.orderly.config.schema.RoomValueTypes;
import dev.orderly.job.QueueName;
import dev.orderly.room.AddressLimits;
import dev.orderly.room.HealthPolicy;
import dev.orderly.room.LimitTimetable;
import dev.orderly.room.Limits;
import dev.orderly.room.OnFailure;
import dev.orderly.room.PollPolicy;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.TokenLifetimes;
import dev.orderly.web.path.RequestPattern;
import dev.orderly.web.room.BypassRule;
import dev.orderly.web.room.RoomBacklog;
import dev.orderly.web.room.RoomMatch;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The part of {@link ConfigReader} about rooms. */
final class RoomReader {
    private final PageReader pages;
    private final Set<QueueName> queues;
    private final List<ConfigProblem> problems;

    RoomReader(PageReader pages, Set<QueueName> queues, List<ConfigProblem> problems) {
        this.pages = pages;
        this.queues = queues;
        this.problems = problems;
    }

    List<RoomConfig> read(CheckedSection at) {
        List<RoomConfig> rooms = new ArrayList<>();
        for (String name : at.node().entries().keySet()) {
            RoomValueTypes.name().read().apply(name).ifPresent(room -> {
                CheckedSection below = at.below(name);
                RoomConfig read = room(room, below);
                rooms.forEach(before -> checkApart(before, read, below));
                rooms.add(read);
            });
        }
        return rooms;
    }

    private RoomConfig room(RoomName name, CheckedSection at) {
        List<RequestPattern> paths = at.values(RoomSchema.MATCH);
        if (new TreeSet<>(paths).size() < paths.size()) {
            problems.add(at.problem(RoomSchema.MATCH, "It lists a path twice", "remove one of the two"));
        }
        RoomMatch match = new RoomMatch(at.values(RoomSchema.HOSTS),
                paths.isEmpty() ? List.of(RequestPattern.ALL) : paths,
                bypass(at), at.value(RoomSchema.BUILT_IN_BYPASS).map(Math::toIntExact)
                        .orElse(RoomMatch.BUILT_IN_BYPASS));
        return new RoomConfig(name, match, options(at), backlog(at), pages.read(name, at.below(RoomSchema.PAGE)),
                at.value(RoomSchema.WAITING_STATUS).orElse(503));
    }

    private List<BypassRule> bypass(CheckedSection at) {
        List<BypassRule> rules = new ArrayList<>();
        for (CheckedSection item : at.items(RoomSchema.BYPASS)) {
            if (item.node().entries().isEmpty()) {
                problems.add(ConfigProblem.at(item.path(), item.node().origin(), null, "The bypass rule is empty",
                        "name a path, method, header or address, or remove it"));
            } else {
                rule(item).ifPresent(rules::add);
            }
        }
        return rules;
    }

    private static Optional<BypassRule> rule(CheckedSection at) {
        RequestPattern path = at.value(RoomSchema.BYPASS_PATH).orElse(null);
        String method = at.value(RoomSchema.BYPASS_METHOD).orElse(null);
        String header = at.value(RoomSchema.BYPASS_HEADER).orElse(null);
        var address = at.value(RoomSchema.BYPASS_ADDRESS).orElse(null);
        return path == null && method == null && header == null && address == null
                ? Optional.empty() // its values are invalid and were reported
                : Optional.of(new BypassRule(path, method, header, address));
    }

    private RoomOptions options(CheckedSection at) {
        boolean health = at.has(RoomSchema.HEALTH);
        boolean limited = at.has(RoomSchema.CAPACITY) || at.has(RoomSchema.RATE);
        if (!health && !limited) {
            problems.add(ConfigProblem.at(at.path(), at.node().origin(), null, "Nothing limits the room",
                    "set capacity: 200, rate: 5 per 15s or health: {}"));
        }
        Limits limits = limits(at);
        HealthPolicy policy = health || limits.equals(Limits.NONE) ? health(at.below(RoomSchema.HEALTH)) : null;
        return RoomOptions.of(limits).withHealth(policy).withStay(stay(at))
                .withPoll(at.value(RoomSchema.POLL).orElse(PollPolicy.DEFAULT)).withAddresses(addresses(at))
                .withOnFailure(at.value(RoomSchema.ON_FAILURE).orElse(OnFailure.CLOSED))
                .withMove(at.value(RoomSchema.MOVE).orElse(false)).withTimetable(timetable(at));
    }

    private static Limits limits(CheckedSection at) {
        return new Limits(at.value(RoomSchema.CAPACITY).map(Math::toIntExact).orElse(null),
                at.value(RoomSchema.RATE).orElse(null));
    }

    private LimitTimetable timetable(CheckedSection at) {
        List<CheckedSection> items = at.items(RoomSchema.LIMITS_AT);
        if (items.isEmpty() && at.has(RoomSchema.LIMITS_ZONE)) {
            problems.add(at.problem(RoomSchema.LIMITS_ZONE, "It is the time zone of limits-at, and the room has none",
                    "add limits-at, or remove zone"));
        }
        List<LimitTimetable.Entry> entries = new ArrayList<>();
        for (CheckedSection item : items) {
            Limits limits = limits(item);
            if (!item.has(RoomSchema.CAPACITY) && !item.has(RoomSchema.RATE)) {
                problems.add(ConfigProblem.at(item.path(), item.node().origin(), null, "The entry limits nothing",
                        "set capacity: 200 or rate: 5 per 15s, or remove it"));
            } else if (!limits.equals(Limits.NONE)) {
                item.value(RoomSchema.LIMITS_FROM).map(from -> new LimitTimetable.Entry(from, limits))
                        .ifPresent(entries::add);
            }
        }
        try {
            return new LimitTimetable(at.value(RoomSchema.LIMITS_ZONE).orElse(ZoneId.of("UTC")), entries);
        } catch (IllegalArgumentException e) {
            problems.add(at.problem(RoomSchema.LIMITS_AT, "Its entries contradict each other",
                    String.valueOf(e.getMessage())));
            return LimitTimetable.NONE;
        }
    }

    private static AddressLimits addresses(CheckedSection at) {
        return new AddressLimits(at.value(RoomSchema.JOINS).map(RoomValueTypes.Joins::rate).orElse(null),
                at.value(RoomSchema.UNTAKEN).map(RoomValueTypes.Most::number).orElse(null),
                at.value(RoomSchema.PER_PASS).map(RoomValueTypes.Most::number).orElse(null));
    }

    private static HealthPolicy health(CheckedSection at) {
        return new HealthPolicy(at.value(RoomSchema.HEALTH_TARGET).orElse(null),
                at.value(RoomSchema.HEALTH_FAILURES).orElse(HealthPolicy.DEFAULT.maxFailures()));
    }

    private TokenLifetimes stay(CheckedSection at) {
        Duration idle = at.value(RoomSchema.PASS_IDLE).orElse(TokenLifetimes.DEFAULT.passIdle());
        Duration usual = Objects.requireNonNull(TokenLifetimes.DEFAULT.passMax());
        Duration max = at.value(RoomSchema.PASS_MAX)
                .orElseGet(() -> new RoomValueTypes.Longest(usual.compareTo(idle) < 0 ? idle : usual)).span();
        Duration ticket = at.value(RoomSchema.TICKET_TTL).orElse(TokenLifetimes.DEFAULT.ticket());
        if (max != null && max.compareTo(idle) < 0) {
            problems.add(at.problem(RoomSchema.PASS_MAX, "The longest stay, " + Amounts.text(max)
                    + ", is shorter than pass-idle, " + Amounts.text(idle),
                    "make pass-max longer or pass-idle shorter"));
            return new TokenLifetimes(idle, null, ticket);
        }
        return new TokenLifetimes(idle, max, ticket);
    }

    private @Nullable RoomBacklog backlog(CheckedSection at) {
        CheckedSection below = at.below(RoomSchema.BACKLOG);
        Optional<QueueName> queue = below.value(RoomSchema.BACKLOG_QUEUE);
        queue.filter(name -> !queues.contains(name)).ifPresent(
                name -> problems.add(ConfigReader.undeclared(below, RoomSchema.BACKLOG_QUEUE, name, queues)));
        Optional<Duration> target = below.value(RoomSchema.BACKLOG_TARGET);
        return queue.isEmpty() || target.isEmpty() ? null : new RoomBacklog(queue.get(), target.get());
    }

    /** Reports a request that two rooms would match equally well. */
    private void checkApart(RoomConfig before, RoomConfig room, CheckedSection at) {
        if (at.values(RoomSchema.MATCH).isEmpty()) {
            return; // the paths are invalid and were reported
        }
        List<String> hosts = before.match().hosts();
        List<String> others = room.match().hosts();
        boolean sameHost = hosts.isEmpty() ? others.isEmpty() : !Collections.disjoint(hosts, others);
        room.match().paths().stream().filter(path -> sameHost
                && before.match().paths().stream().anyMatch(other -> other.compareTo(path) == 0)).findFirst()
                .ifPresent(path -> problems.add(at.problem(RoomSchema.MATCH,
                        "Room " + before.name() + " protects " + path.text() + " too",
                        "remove the path from one of the two rooms, or give them different hosts")));
    }
}

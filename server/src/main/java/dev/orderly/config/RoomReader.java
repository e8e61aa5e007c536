package dev.orderly.config;

import dev.orderly.config.RoomConfig.Backlog;
import dev.orderly.http.gateway.PathGlob;
import dev.orderly.http.room.BypassRule;
import dev.orderly.http.room.RoomMatch;
import dev.orderly.job.QueueName;
import dev.orderly.room.AddressLimits;
import dev.orderly.room.HealthPolicy;
import dev.orderly.room.Limits;
import dev.orderly.room.OnFailure;
import dev.orderly.room.PollPolicy;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.Stay;
import java.time.Duration;
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
    private final List<Problem> problems;

    RoomReader(PageReader pages, Set<QueueName> queues, List<Problem> problems) {
        this.pages = pages;
        this.queues = queues;
        this.problems = problems;
    }

    List<RoomConfig> read(Settings at) {
        List<RoomConfig> rooms = new ArrayList<>();
        for (String name : at.node().entries().keySet()) {
            RoomKinds.name().read().apply(name).ifPresent(room -> {
                Settings below = at.below(name);
                RoomConfig read = room(room, below);
                rooms.forEach(before -> checkApart(before, read, below));
                rooms.add(read);
            });
        }
        return rooms;
    }

    private RoomConfig room(RoomName name, Settings at) {
        List<PathGlob> paths = at.values(RoomTable.MATCH);
        if (new TreeSet<>(paths).size() < paths.size()) {
            problems.add(at.problem(RoomTable.MATCH, "It lists a path twice", "remove one of the two"));
        }
        RoomMatch match = new RoomMatch(at.values(RoomTable.HOSTS), paths.isEmpty() ? List.of(PathGlob.ALL) : paths,
                bypass(at));
        return new RoomConfig(name, match, options(at), backlog(at), pages.read(name, at.below(RoomTable.PAGE)),
                at.value(RoomTable.WAITING_STATUS).orElse(503));
    }

    private List<BypassRule> bypass(Settings at) {
        List<BypassRule> rules = new ArrayList<>();
        for (Settings item : at.items(RoomTable.BYPASS)) {
            if (item.node().entries().isEmpty()) {
                problems.add(Problem.at(item.path(), item.node().origin(), null, "The bypass rule is empty",
                        "name a path, method, header or address, or remove it"));
            } else {
                rule(item).ifPresent(rules::add);
            }
        }
        return rules;
    }

    private static Optional<BypassRule> rule(Settings at) {
        PathGlob path = at.value(RoomTable.BYPASS_PATH).orElse(null);
        String method = at.value(RoomTable.BYPASS_METHOD).orElse(null);
        String header = at.value(RoomTable.BYPASS_HEADER).orElse(null);
        var address = at.value(RoomTable.BYPASS_ADDRESS).orElse(null);
        return path == null && method == null && header == null && address == null
                ? Optional.empty() // its values are invalid and were reported
                : Optional.of(new BypassRule(path, method, header, address));
    }

    private RoomOptions options(Settings at) {
        boolean health = at.has(RoomTable.HEALTH);
        boolean limited = at.has(RoomTable.CAPACITY) || at.has(RoomTable.RATE);
        if (!health && !limited) {
            problems.add(Problem.at(at.path(), at.node().origin(), null, "Nothing limits the room",
                    "set capacity: 200, rate: 5 per 15s or health: {}"));
        }
        Limits limits = new Limits(at.value(RoomTable.CAPACITY).map(Math::toIntExact).orElse(null),
                at.value(RoomTable.RATE).orElse(null));
        HealthPolicy policy = health || limits.equals(Limits.NONE) ? health(at.below(RoomTable.HEALTH)) : null;
        return new RoomOptions(limits, stay(at), at.value(RoomTable.POLL).orElse(PollPolicy.DEFAULT),
                addresses(at), at.value(RoomTable.ON_FAILURE).orElse(OnFailure.CLOSED), policy);
    }

    private static AddressLimits addresses(Settings at) {
        return new AddressLimits(at.value(RoomTable.JOINS).map(RoomKinds.Joins::rate).orElse(null),
                at.value(RoomTable.UNTAKEN).map(RoomKinds.Most::number).orElse(null),
                at.value(RoomTable.PER_PASS).map(RoomKinds.Most::number).orElse(null));
    }

    private static HealthPolicy health(Settings at) {
        return new HealthPolicy(at.value(RoomTable.HEALTH_TARGET).orElse(null),
                at.value(RoomTable.HEALTH_FAILURES).orElse(HealthPolicy.DEFAULT.maxFailures()));
    }

    private Stay stay(Settings at) {
        Duration idle = at.value(RoomTable.PASS_IDLE).orElse(Stay.DEFAULT.passIdle());
        Duration usual = Objects.requireNonNull(Stay.DEFAULT.passMax());
        Duration max = at.value(RoomTable.PASS_MAX)
                .orElseGet(() -> new RoomKinds.Longest(usual.compareTo(idle) < 0 ? idle : usual)).span();
        Duration ticket = at.value(RoomTable.TICKET_TTL).orElse(Stay.DEFAULT.ticket());
        if (max != null && max.compareTo(idle) < 0) {
            problems.add(at.problem(RoomTable.PASS_MAX, "The longest stay, " + Amounts.text(max)
                    + ", is shorter than pass-idle, " + Amounts.text(idle),
                    "make pass-max longer or pass-idle shorter"));
            return new Stay(idle, null, ticket);
        }
        return new Stay(idle, max, ticket);
    }

    private @Nullable Backlog backlog(Settings at) {
        Settings below = at.below(RoomTable.BACKLOG);
        Optional<QueueName> queue = below.value(RoomTable.BACKLOG_QUEUE);
        queue.filter(name -> !queues.contains(name)).ifPresent(
                name -> problems.add(ConfigReader.undeclared(below, RoomTable.BACKLOG_QUEUE, name, queues)));
        Optional<Duration> target = below.value(RoomTable.BACKLOG_TARGET);
        return queue.isEmpty() || target.isEmpty() ? null : new Backlog(queue.get(), target.get());
    }

    /** Reports a request that two rooms would match equally well. */
    private void checkApart(RoomConfig before, RoomConfig room, Settings at) {
        if (at.values(RoomTable.MATCH).isEmpty()) {
            return; // the paths are invalid and were reported
        }
        List<String> hosts = before.match().hosts();
        List<String> others = room.match().hosts();
        boolean sameHost = hosts.isEmpty() ? others.isEmpty() : !Collections.disjoint(hosts, others);
        room.match().paths().stream().filter(path -> sameHost
                && before.match().paths().stream().anyMatch(other -> other.compareTo(path) == 0)).findFirst()
                .ifPresent(path -> problems.add(at.problem(RoomTable.MATCH,
                        "Room " + before.name() + " protects " + path.text() + " too",
                        "remove the path from one of the two rooms, or give them different hosts")));
    }
}

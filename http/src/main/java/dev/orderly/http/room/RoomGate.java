package dev.orderly.http.room;

import dev.orderly.http.edge.EdgeHandler;
import dev.orderly.http.edge.EdgeRequest;
import dev.orderly.http.path.PathGlob;
import dev.orderly.http.route.RequestRouter.Match;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rooms in front of the sites behind: a visitor with a pass gets what is there, everybody else is answered here. Of several
 * rooms that match a request the one with the more specific path counts, of equal ones the one that names the host.
 *
 * <p>Tokens of visitors are taken out of whatever goes on, rooms or not. Thread-safe, never blocks.
 */
public final class RoomGate implements EdgeHandler {
    private static final Logger LOG = LoggerFactory.getLogger(RoomGate.class);

    private final List<Rule> rules;
    private final VisitorEndpoints endpoints;
    private final AtomicBoolean warned = new AtomicBoolean();

    private record Rule(PathGlob path, ProtectedRoom door) {
        boolean namesHost() {
            return !door.gated().match().hosts().isEmpty();
        }
    }

    /** With as many event streams of waiting visitors as {@link WaitingStreams#byDefault} has. */
    public RoomGate(List<GatedRoom> rooms) {
        this(rooms, WaitingStreams.byDefault());
    }

    /**
     * A gate for these rooms.
     *
     * @param streams of the visitors who wait
     * @throws IllegalArgumentException if two rooms protect one path of the same hosts
     */
    public RoomGate(List<GatedRoom> rooms, WaitingStreams streams) {
        List<ProtectedRoom> doors = rooms.stream().map(ProtectedRoom::new).toList();
        List<Rule> sorted = new ArrayList<>();
        for (ProtectedRoom door : doors) {
            door.gated().match().paths().forEach(path -> sorted.add(new Rule(path, door)));
        }
        sorted.sort(Comparator.comparing(Rule::path).thenComparing(rule -> !rule.namesHost()));
        rules = List.copyOf(sorted);
        checkTwins();
        endpoints = new VisitorEndpoints(doors, streams);
    }

    /** What visitors may ask of these rooms, which no room keeps from anybody. */
    public EdgeHandler endpoints() {
        return endpoints;
    }

    @Override
    public Match match(EdgeRequest request, Next next) {
        ProtectedRoom door = find(request);
        if (door != null) {
            VisitorRequest caller = VisitorRequest.of(request);
            if (!caller.isPreflight() && !passesBy(door, caller)) {
                warnWithoutTls(caller);
                return door.match(caller, next);
            }
        }
        RoomCookies.strip(request.head().headers());
        return next.match(request);
    }

    private @Nullable ProtectedRoom find(EdgeRequest request) {
        for (Rule rule : rules) {
            if (rule.door().gated().match().isFor(request.host()) && rule.path().matches(request.path().key())) {
                return rule.door();
            }
        }
        return null;
    }

    private static boolean passesBy(ProtectedRoom door, VisitorRequest caller) {
        return passesBy(BypassRule.ALWAYS, caller) || passesBy(door.gated().match().bypass(), caller);
    }

    private static boolean passesBy(List<BypassRule> rules, VisitorRequest caller) {
        for (BypassRule rule : rules) {
            if (rule.fits(caller, caller.key(), caller.isPlain(), caller::address)) {
                return true;
            }
        }
        return false;
    }

    /** Browsers drop our cookies without TLS, but on loopback: nobody would ever get in. */
    private void warnWithoutTls(VisitorRequest caller) {
        if (!warned.get() && caller.cookies() == CookieForm.GUARDED && !caller.isSecure()
                && caller.header("Authorization").isEmpty() && !caller.header("Sec-Fetch-Mode").isEmpty()
                && warned.compareAndSet(false, true)) {
            LOG.warn("A browser asked {} without TLS, as far as is known here. Browsers keep a room's cookies only over"
                    + " TLS: put a TLS proxy in front and name its address in edge.trusted-proxies",
                    caller.request().host());
        }
    }

    private void checkTwins() {
        for (int i = 0; i < rules.size(); i++) {
            for (Rule other : rules.subList(i + 1, rules.size())) {
                Rule one = rules.get(i);
                List<String> hosts = other.door().gated().match().hosts();
                boolean sameHosts = one.door().gated().match().hosts().isEmpty()
                        ? hosts.isEmpty()
                        : one.door().gated().match().hosts().stream().anyMatch(hosts::contains);
                if (sameHosts && one.path().compareTo(other.path()) == 0) {
                    throw new IllegalArgumentException("Rooms " + one.door().name() + " and " + other.door().name()
                            + " both protect " + one.path().text() + ": change or drop one");
                }
            }
        }
    }
}

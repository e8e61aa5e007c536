package dev.orderly.http.room;

import dev.orderly.http.gateway.PathGlob;
import dev.orderly.http.gateway.TrustedProxies;
import dev.orderly.http.listener.Head;
import dev.orderly.http.listener.Site;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A site with rooms in front: who has a pass gets what is behind, everybody else is answered here. Of several rooms that
 * match a request the one with the more specific path counts, of equal ones the one that names the host. Below
 * {@code /.orderly/rooms} are the calls of visitors, which no room keeps from anybody.
 *
 * <p>Tokens of visitors are taken out of whatever goes on, rooms or not. Thread-safe, never blocks.
 */
public final class RoomSite implements Site {
    private static final Logger LOG = LoggerFactory.getLogger(RoomSite.class);

    private final Site inner;
    private final TrustedProxies trusted;
    private final List<Rule> rules;
    private final RoomCalls calls;
    private final AtomicBoolean warned = new AtomicBoolean();

    private record Rule(PathGlob path, RoomDoor door) {
        boolean namesHost() {
            return !door.gated().match().hosts().isEmpty();
        }
    }

    /** With as many event streams of waiting visitors as {@link WaitingStreams#byDefault} has. */
    public RoomSite(Site inner, List<GatedRoom> rooms, TrustedProxies trusted) {
        this(inner, rooms, trusted, WaitingStreams.byDefault());
    }

    /**
     * Puts rooms in front of a site.
     *
     * @param streams of the visitors who wait
     * @throws IllegalArgumentException if two rooms protect one path of the same hosts
     */
    public RoomSite(Site inner, List<GatedRoom> rooms, TrustedProxies trusted, WaitingStreams streams) {
        this.inner = inner;
        this.trusted = trusted;
        List<RoomDoor> doors = rooms.stream().map(RoomDoor::new).toList();
        List<Rule> sorted = new ArrayList<>();
        for (RoomDoor door : doors) {
            door.gated().match().paths().forEach(path -> sorted.add(new Rule(path, door)));
        }
        sorted.sort(Comparator.comparing(Rule::path).thenComparing(rule -> !rule.namesHost()));
        rules = List.copyOf(sorted);
        checkTwins();
        calls = new RoomCalls(doors, streams);
    }

    @Override
    public Match match(Head head) {
        Caller caller = Caller.of(head, trusted);
        if (caller.path().isReserved()) {
            return RoomCalls.isFor(caller) ? calls.match(caller) : inner.match(head);
        }
        RoomDoor door = find(caller);
        if (door == null || caller.isPreflight() || passesBy(door, caller)) {
            RoomCookies.strip(head.headers());
            return inner.match(head);
        }
        warnWithoutTls(caller);
        return door.match(caller, () -> inner.match(head));
    }

    private @Nullable RoomDoor find(Caller caller) {
        String host = caller.host();
        for (Rule rule : rules) {
            if (rule.door().gated().match().isFor(host) && rule.path().matches(caller.path().key())) {
                return rule.door();
            }
        }
        return null;
    }

    private static boolean passesBy(RoomDoor door, Caller caller) {
        return passesBy(BypassRule.ALWAYS, caller) || passesBy(door.gated().match().bypass(), caller);
    }

    private static boolean passesBy(List<BypassRule> rules, Caller caller) {
        for (BypassRule rule : rules) {
            if (rule.fits(caller, caller.path().key(), caller.isPlain(), caller::address)) {
                return true;
            }
        }
        return false;
    }

    /** Browsers drop our cookies without TLS, but on loopback: nobody would ever get in. */
    private void warnWithoutTls(Caller caller) {
        if (!warned.get() && caller.cookies() == CookieForm.GUARDED && !caller.isSecure()
                && caller.header("Authorization").isEmpty() && !caller.header("Sec-Fetch-Mode").isEmpty()
                && warned.compareAndSet(false, true)) {
            LOG.warn("A browser asked {} without TLS, as far as is known here. Browsers keep a room's cookies only over"
                    + " TLS: put a TLS proxy in front and name its address in edge.trusted-proxies", caller.host());
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

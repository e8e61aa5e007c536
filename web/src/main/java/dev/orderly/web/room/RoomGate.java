package dev.orderly.web.room;

import dev.orderly.Internal;
import dev.orderly.room.gate.RoomRefusals;
import dev.orderly.web.edge.EdgeHandler;
import dev.orderly.web.edge.EdgeRequest;
import dev.orderly.web.edge.ForwardedForCheck;
import dev.orderly.web.path.RequestPattern;
import dev.orderly.web.route.RequestRouter.Match;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rooms in front of the other handlers of the edge: requests with a pass continue, all others are answered here. Of
 * several rooms that match a request, the room with the more specific path applies; of equal paths, the room that names
 * the host.
 *
 * <p>Tokens of visitors are removed from every request that continues, gated or not. Thread-safe, never blocks.
 */
@Internal(to = "dev.orderly")
public final class RoomGate implements EdgeHandler {
    private static final Logger LOG = LoggerFactory.getLogger(RoomGate.class);

    /** The gate of an edge without rooms: every request continues, without cookies that end here. */
    public static final EdgeHandler OPEN = (request, next) -> {
        RoomCookies.strip(request.head().headers());
        return next.match(request);
    };

    private final List<Rule> rules;
    private final VisitorEndpoints endpoints;
    private final String trusting;
    private final AtomicBoolean warned = new AtomicBoolean();

    /** @param named whether the room names the path; otherwise the path differs by the slash at its end */
    private record Rule(RequestPattern path, boolean named, ProtectedRoom room) {
        boolean namesHost() {
            return !room.gated().match().hosts().isEmpty();
        }
    }

    /** A gate with the event streams of {@link WaitingStreams#byDefault}. */
    public RoomGate(List<GatedRoom> rooms) {
        this(rooms, WaitingStreams.byDefault());
    }

    /** A gate whose proxies the server's configuration names. */
    public RoomGate(List<GatedRoom> rooms, WaitingStreams streams) {
        this(rooms, streams, ForwardedForCheck.NAME_IT);
    }

    /**
     * A gate for these rooms.
     *
     * @param streams bounds the event streams of waiting visitors
     * @param trusting what trusts a proxy in front, such as {@link ForwardedForCheck#NAME_IT}
     * @throws IllegalArgumentException if two rooms protect one path of the same hosts
     */
    public RoomGate(List<GatedRoom> rooms, WaitingStreams streams, String trusting) {
        this.trusting = trusting;
        List<ProtectedRoom> protectedRooms = rooms.stream().map(ProtectedRoom::new).toList();
        List<Rule> sorted = new ArrayList<>();
        for (ProtectedRoom room : protectedRooms) {
            for (RequestPattern path : room.gated().match().paths()) {
                sorted.add(new Rule(path, true, room));
                if (!path.otherEnd().equals(path)) {
                    sorted.add(new Rule(path.otherEnd(), false, room));
                }
            }
        }
        sorted.sort(Comparator.comparing(Rule::path).thenComparing(rule -> !rule.named())
                .thenComparing(rule -> !rule.namesHost()));
        rules = List.copyOf(sorted);
        checkDuplicates();
        endpoints = new VisitorEndpoints(protectedRooms, streams);
    }

    /** The endpoints for visitors of these rooms, which no room gates. */
    public EdgeHandler endpoints() {
        return endpoints;
    }

    @Override
    public Match match(EdgeRequest request, Next next) {
        ProtectedRoom room = find(request);
        if (room != null) {
            VisitorRequest caller = VisitorRequest.of(request);
            if (!isBypassed(room, caller)) {
                Match open = room.builtIn().match(caller, withoutTokens(next));
                if (open != null) {
                    return open;
                }
                warnWithoutTls(caller);
                if (request.sender().isForwardedInVain()) {
                    room.visits().refusals().count(RoomRefusals.Cause.FORWARDED_FOR_NOT_TRUSTED);
                }
                return room.match(caller, next);
            }
        }
        return OPEN.match(request, next);
    }

    private static Next withoutTokens(Next next) {
        return request -> OPEN.match(request, next);
    }

    private @Nullable ProtectedRoom find(EdgeRequest request) {
        for (Rule rule : rules) {
            if (rule.room().gated().match().isFor(request.host())
                    && rule.path().mayMatch(request.path(), request.head().query())) {
                return rule.room();
            }
        }
        return null;
    }

    private static boolean isBypassed(ProtectedRoom room, VisitorRequest caller) {
        for (BypassRule rule : room.gated().match().bypass()) {
            if (rule.matches(caller, caller::address)) {
                return true;
            }
        }
        return false;
    }

    /** Browsers drop the cookies without TLS, except on loopback: visitors could never enter. */
    private void warnWithoutTls(VisitorRequest caller) {
        if (!warned.get() && caller.cookies() == CookieForm.GUARDED && !caller.isSecure()
                && caller.header("Authorization").isEmpty() && !caller.header("Sec-Fetch-Mode").isEmpty()
                && warned.compareAndSet(false, true)) {
            LOG.warn("A browser asked {} without TLS, as far as is known here. Browsers keep a room's cookies only over"
                    + " TLS: put a TLS proxy in front and {}", caller.request().host(), trusting);
        }
    }

    private void checkDuplicates() {
        for (int i = 0; i < rules.size(); i++) {
            for (Rule other : rules.subList(i + 1, rules.size())) {
                Rule one = rules.get(i);
                List<String> hosts = other.room().gated().match().hosts();
                boolean sameHosts = one.room().gated().match().hosts().isEmpty()
                        ? hosts.isEmpty()
                        : one.room().gated().match().hosts().stream().anyMatch(hosts::contains);
                if (sameHosts && one.named() && other.named() && one.path().compareTo(other.path()) == 0) {
                    throw new IllegalArgumentException("Rooms " + one.room().name() + " and " + other.room().name()
                            + " both protect " + one.path().text() + ": change or drop one");
                }
            }
        }
    }
}

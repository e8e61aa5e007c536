package dev.orderly.config;

import dev.orderly.config.schema.CheckedSection;
import dev.orderly.config.schema.KeySpec;
import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.schema.KeySpec.Brief;
import dev.orderly.config.schema.KeySpec.Listed;
import dev.orderly.config.schema.KeySpec.Many;
import dev.orderly.config.schema.RoomValueTypes;
import dev.orderly.http.gateway.Origin;
import dev.orderly.http.gateway.Origin.Host;
import dev.orderly.web.path.PathGlob;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The keys of origins, and the rules about the hosts of origins and rooms. */
final class OriginReader {
    static final KeySpec.Key<URI> URL = new KeySpec.Key<>("url", RoomValueTypes.origin(),
            new Absent.Refused(),
            "The address of the site.");
    static final KeySpec.Key<PathGlob> MATCH = new KeySpec.Key<>("match", RoomValueTypes.paths("/api/**"),
            new Absent.Means("/**"),
            "The paths that it serves; of several matching origins the most specific wins.");
    static final KeySpec.Key<Host> HOST = new KeySpec.Key<>("host", RoomValueTypes.originHost(),
            new Absent.Means("client"),
            "The `Host` header of requests to it: the client's, or its own.");
    static final Many<String> HOSTS = new Many<>("hosts", RoomValueTypes.servedHost(), new Absent.Depends("all"),
            "The hosts on which it serves them. Where every origin names its hosts, other hosts are answered 421."
                    + " Required where a room has `hosts`; `*` means that the origin refuses other hosts by itself.");
    static final Listed ORIGIN = new Listed("origin",
            List.of(URL, MATCH, HOSTS, HOST),
            Brief.LIST,
            "The sites behind the edge. They get every request that no route takes; without an origin such a"
                    + " request is answered 404.");

    private OriginReader() {}

    static List<Origin> read(CheckedSection edge) {
        List<Origin> origins = new ArrayList<>();
        Map<PathGlob, Map<String, String>> seen = new TreeMap<>();
        for (CheckedSection item : edge.items(ORIGIN)) {
            PathGlob match = item.value(MATCH).orElse(PathGlob.ALL);
            List<String> hosts = hosts(item);
            Map<String, String> others = seen.computeIfAbsent(match, _ -> new TreeMap<>());
            for (String host : hosts.isEmpty() ? List.of(RoomValueTypes.ALL_HOSTS) : new HashSet<>(hosts)) {
                String before = others.putIfAbsent(host, item.path());
                if (before != null) {
                    item.report(MATCH, before + " gets " + match.text() + " already",
                            "give the two origins different paths or hosts");
                }
            }
            item.value(URL).ifPresent(url -> origins.add(new Origin(match, hosts, url,
                    item.value(HOST).orElse(Origin.Host.CLIENT))));
        }
        return origins;
    }

    /** Empty for all hosts. */
    private static List<String> hosts(CheckedSection item) {
        List<String> hosts = item.values(HOSTS);
        if (!hosts.contains(RoomValueTypes.ALL_HOSTS)) {
            return hosts;
        }
        if (hosts.size() > 1) {
            item.report(HOSTS, "It names all hosts and single hosts",
                    "keep either * or the names");
        }
        return List.of();
    }

    /** Checks that no request can bypass a room by naming another host. */
    static void checkHosts(CheckedSection edge, CheckedSection file, List<RoomConfig> rooms) {
        List<CheckedSection> items = edge.items(ORIGIN);
        Set<String> served = new HashSet<>();
        items.forEach(item -> served.addAll(item.values(HOSTS)));
        for (RoomConfig room : rooms) {
            List<String> hosts = room.match().hosts();
            if (hosts.isEmpty()) {
                continue;
            }
            CheckedSection at = file.below(RoomConfig.ROOMS).below(room.name().value());
            if (items.isEmpty() && file.has(RouteConfig.ROUTES)) {
                at.report(RoomConfig.HOSTS, "Routes exist on every host, so a request for another host"
                        + " bypasses the room", "remove hosts, so that the room protects them on every host");
            }
            items.stream().filter(item -> !item.has(HOSTS))
                    .forEach(item -> item.report(HOSTS, "It takes every host, so a request for a host other than "
                            + hosts.getFirst() + " bypasses room " + room.name(),
                            "name the hosts it serves, such as hosts: [" + hosts.getFirst()
                                    + "], or hosts: [\"*\"] if it refuses other hosts by itself"));
            hosts.stream().filter(host -> !items.isEmpty() && !served.contains(RoomValueTypes.ALL_HOSTS)
                    && !served.isEmpty() && !served.contains(host))
                    .forEach(host -> at.report(RoomConfig.HOSTS, "No origin serves " + host,
                            "correct it, or add it to the hosts of an origin"));
        }
    }
}

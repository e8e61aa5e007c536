package dev.orderly.config.reader;

import dev.orderly.config.ConfigProblem;
import dev.orderly.config.RoomConfig;
import dev.orderly.config.schema.ConfigSchema;
import dev.orderly.config.schema.RoomSchema;
import dev.orderly.config.schema.RoomValueTypes;
import dev.orderly.http.gateway.Origin;
import dev.orderly.web.path.PathGlob;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The part of {@link ConfigReader} about origins, and about the hosts of origins and rooms. */
final class OriginReader {
    private final List<ConfigProblem> problems;

    OriginReader(List<ConfigProblem> problems) {
        this.problems = problems;
    }

    List<Origin> read(CheckedSection edge) {
        List<Origin> origins = new ArrayList<>();
        Map<PathGlob, Map<String, String>> seen = new TreeMap<>();
        for (CheckedSection item : edge.items(RoomSchema.ORIGIN)) {
            PathGlob match = item.value(RoomSchema.ORIGIN_MATCH).orElse(PathGlob.ALL);
            List<String> hosts = hosts(item);
            Map<String, String> others = seen.computeIfAbsent(match, _ -> new TreeMap<>());
            for (String host : hosts.isEmpty() ? List.of(RoomValueTypes.ALL_HOSTS) : new HashSet<>(hosts)) {
                String before = others.putIfAbsent(host, item.path());
                if (before != null) {
                    problems.add(item.problem(RoomSchema.ORIGIN_MATCH, before + " gets " + match.text() + " already",
                            "give the two origins different paths or hosts"));
                }
            }
            item.value(RoomSchema.ORIGIN_URL).ifPresent(url -> origins.add(new Origin(match, hosts, url,
                    item.value(RoomSchema.ORIGIN_HOST).orElse(Origin.Host.CLIENT))));
        }
        return origins;
    }

    /** Empty for all hosts. */
    private List<String> hosts(CheckedSection item) {
        List<String> hosts = item.values(RoomSchema.ORIGIN_HOSTS);
        if (!hosts.contains(RoomValueTypes.ALL_HOSTS)) {
            return hosts;
        }
        if (hosts.size() > 1) {
            problems.add(item.problem(RoomSchema.ORIGIN_HOSTS, "It names all hosts and single hosts",
                    "keep either * or the names"));
        }
        return List.of();
    }

    /** Checks that no request can bypass a room by naming another host. */
    void checkHosts(CheckedSection edge, CheckedSection file, List<RoomConfig> rooms) {
        List<CheckedSection> items = edge.items(RoomSchema.ORIGIN);
        Set<String> served = new HashSet<>();
        items.forEach(item -> served.addAll(item.values(RoomSchema.ORIGIN_HOSTS)));
        for (RoomConfig room : rooms) {
            List<String> hosts = room.match().hosts();
            if (hosts.isEmpty()) {
                continue;
            }
            CheckedSection at = file.below(RoomSchema.ROOMS).below(room.name().value());
            if (items.isEmpty() && file.has(ConfigSchema.ROUTES)) {
                problems.add(
                        at.problem(RoomSchema.HOSTS, "Routes exist on every host, so a request for another host"
                                + " bypasses the room", "remove hosts, so that the room protects them on every host"));
            }
            items.stream().filter(item -> !item.has(RoomSchema.ORIGIN_HOSTS)).forEach(item -> problems.add(
                    item.problem(RoomSchema.ORIGIN_HOSTS, "It takes every host, so a request for a host other than "
                            + hosts.getFirst() + " bypasses room " + room.name(),
                            "name the hosts it serves, such as hosts: [" + hosts.getFirst()
                                    + "], or hosts: [\"*\"] if it refuses other hosts by itself")));
            hosts.stream().filter(host -> !items.isEmpty() && !served.contains(RoomValueTypes.ALL_HOSTS)
                    && !served.isEmpty() && !served.contains(host)).forEach(host -> problems.add(
                            at.problem(RoomSchema.HOSTS, "No origin serves " + host,
                                    "correct it, or add it to the hosts of an origin")));
        }
    }
}

package dev.orderly.room.crowd;

import dev.orderly.Internal;
import dev.orderly.room.crowd.PlaceCounts.By;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The places of several hours and gates by taker: a sum of what each has at least. Not thread-safe. */
@Internal(to = "dev.orderly")
public final class PlaceSum {
    /** Takers that each hour of a gate adds. */
    private static final int EACH = 100;

    private final int most;
    private final Map<By, Map<String, Long>> counts = new EnumMap<>(By.class);
    private final Map<By, Long> errors = new EnumMap<>(By.class);
    private @Nullable Instant since;
    private long places;

    /** @param most takers that a report lists */
    public PlaceSum(int most) {
        this.most = most;
        for (By by : By.values()) {
            counts.put(by, new HashMap<>());
            errors.put(by, 0L);
        }
    }

    /** Adds the counts of a gate. */
    public PlaceSum add(PlaceCounts gate) {
        Objects.requireNonNull(gate, "gate");
        gate.addTo(this, EACH);
        return this;
    }

    void add(Instant begin, long more) {
        since = since == null || begin.isBefore(since) ? begin : since;
        places += more;
    }

    void add(By by, Map<String, Long> top, long error) {
        Map<String, Long> all = Objects.requireNonNull(counts.get(by));
        top.forEach((taker, number) -> all.merge(taker, number, Long::sum));
        errors.merge(by, error, Long::sum);
    }

    /** Adds the answer of another gate, as {@link #write} writes it. */
    public void read(JsonNode json) {
        Objects.requireNonNull(json, "json");
        if (json.path("places").asLong(0) > 0) {
            add(Instant.ofEpochMilli(json.path("since").asLong(0)), json.path("places").asLong(0));
            for (By by : By.values()) {
                JsonNode list = json.path(by.name());
                Map<String, Long> top = new HashMap<>();
                list.path("top").forEachEntry((taker, number) -> top.put(taker, number.asLong(0)));
                add(by, top, list.path("error").asLong(0));
            }
        }
    }

    /** The sum as {@link #read} reads it. */
    public JsonNode write() {
        ObjectNode json = JsonMapper.shared().createObjectNode().put("places", places);
        if (since != null) {
            json.put("since", since.toEpochMilli());
        }
        counts.forEach((by, all) -> {
            ObjectNode list = json.putObject(by.name()).put("error", errors.getOrDefault(by, 0L));
            ObjectNode top = list.putObject("top");
            all.forEach(top::put);
        });
        return json;
    }

    /** @param unreachable nodes that did not answer */
    public PlaceReport report(List<String> unreachable) {
        return new PlaceReport(since, places, top(By.ADDRESS), top(By.NETWORK), top(By.SIGN_IN), unreachable);
    }

    private PlaceReport.Top top(By by) {
        Map<String, Long> all = Objects.requireNonNull(counts.get(by));
        Stream<PlaceReport.Row> rows = all.entrySet().stream()
                .filter(each -> each.getValue() > 0)
                .map(each -> new PlaceReport.Row(each.getKey(), each.getValue()));
        return new PlaceReport.Top(rows.sorted(Comparator.comparingLong(PlaceReport.Row::places).reversed()
                .thenComparing(PlaceReport.Row::taker)).limit(most).toList(), errors.getOrDefault(by, 0L));
    }
}

package dev.orderly.cluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What gates wrote down of their visitors. Moments are monotonic nanoseconds of the machine; what a store did, it did
 * between {@code asked} and {@code answered}.
 *
 * @param joins places that were given
 * @param waits spans in which a visitor was told to wait, and came again while it counted as present
 * @param stays of those who were admitted
 * @param others answers that are none of these
 */
record RoomRecords(List<Join> joins, List<Wait> waits, List<Stay> stays, List<String> others) {
    private static final long PRESENT_LEAST = Duration.ofSeconds(3).toNanos();

    record Join(String gate, long place, long asked, long answered) {}

    /** Certainly present, and not admitted, from one moment to the other. */
    record Wait(long place, long from, long until) {}

    /**
     * @param end until when the pass certainly was good: the visitor asked to leave then, or it expired
     */
    record Stay(String gate, long place, long asked, long answered, long end) {
        Stay endingAt(long moment) {
            return new Stay(gate, place, asked, answered, moment);
        }
    }

    static RoomRecords read(Map<String, Path> logs) {
        RoomRecords all = new RoomRecords(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        logs.forEach((gate, log) -> all.add(gate, NodeLog.read(log)));
        return all;
    }

    /** Was answered then, and counts as present for so long. */
    private record Told(long place, long answered, long presence) {}

    private void add(String gate, List<String[]> lines) {
        Map<String, Told> told = new HashMap<>();
        Map<String, Stay> inside = new HashMap<>();
        for (String[] words : lines) {
            String word = words[0];
            long asked = Long.parseLong(words[1]);
            switch (word) {
                case "join", "walk-in", "wait", "enter", "renew" -> {
                    long answered = Long.parseLong(words[2]);
                    long place = Long.parseLong(words[4]);
                    if (word.equals("join") || word.equals("walk-in")) {
                        joins.add(new Join(gate, place, asked, answered));
                    }
                    came(told.remove(words[3]), asked);
                    long last = Long.parseLong(words[5]);
                    if (word.equals("join") || word.equals("wait")) {
                        told.put(words[3], new Told(place, answered, Math.max(PRESENT_LEAST, last * 1_500_000)));
                    } else if (word.equals("renew")) {
                        inside.computeIfPresent(words[3], (_, stay) -> stay.endingAt(Math.max(stay.end(), last)));
                    } else {
                        inside.put(words[3], new Stay(gate, place, asked, answered, last));
                    }
                }
                case "leave" -> {
                    Stay stay = inside.remove(words[3]);
                    if (stay != null) {
                        stays.add(stay.endingAt(Math.min(stay.end(), asked)));
                    }
                }
                case "other" -> others.add(gate + " " + words[3]);
                default -> {
                }
            }
        }
        stays.addAll(inside.values());
    }

    private void came(@Nullable Told before, long asked) {
        if (before != null && asked - before.answered() <= before.presence()) {
            waits.add(new Wait(before.place(), before.answered(), asked));
        }
    }
}

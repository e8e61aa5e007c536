package dev.orderly.cluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The gates' records of their visitors. Moments are monotonic nanoseconds of the machine; the store acted between
 * {@code asked} and {@code answered}.
 *
 * @param joins places issued
 * @param waits spans in which a visitor waited, and returned while it counted as present
 * @param stays stays of admitted visitors
 * @param others all other answers
 */
record RoomRecords(List<Join> joins, List<Wait> waits, List<Stay> stays, List<String> others) {
    private static final long PRESENT_LEAST = Duration.ofSeconds(3).toNanos();

    record Join(String gate, long place, long asked, long answered) {}

    /** A span in which the visitor was certainly present and not admitted. */
    record Wait(long place, long from, long until) {}

    /** @param end moment until which the pass was certainly valid: the visitor asked to leave then, or it expired */
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

    /** An answer, and the time for which the visitor counts as present after it. */
    private record Answer(long place, long answered, long presence) {}

    private void add(String gate, List<String[]> lines) {
        Map<String, Answer> answers = new HashMap<>();
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
                    came(answers.remove(words[3]), asked);
                    long last = Long.parseLong(words[5]);
                    if (word.equals("join") || word.equals("wait")) {
                        answers.put(words[3], new Answer(place, answered, Math.max(PRESENT_LEAST, last * 1_500_000)));
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

    private void came(@Nullable Answer before, long asked) {
        if (before != null && asked - before.answered() <= before.presence()) {
            waits.add(new Wait(before.place(), before.answered(), asked));
        }
    }
}

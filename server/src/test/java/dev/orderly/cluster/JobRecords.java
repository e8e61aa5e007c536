package dev.orderly.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The nodes' records of their jobs. Moments are monotonic nanoseconds of the machine. */
record JobRecords(List<Run> runs, List<Settled> settled) {
    /**
     * One attempt on one node.
     *
     * @param group empty on a standard queue
     * @param sequence the store's sequence number in the group
     * @param end null if the process died before
     */
    record Run(String node, String job, int attempt, String group, long sequence, String pusher, int number, long start,
            @Nullable End end) {
        Run until(End value) {
            return new Run(node, job, attempt, group, sequence, pusher, number, start, value);
        }
    }

    /** @param how {@code ok}, {@code failed} or {@code interrupted} */
    record End(long at, String how) {}

    /** The store's answer to an ending; its kind is a type name of {@link dev.orderly.job.store.AttemptOutcome}. */
    record Settled(String node, String job, int attempt, String ending, boolean accepted) {
        boolean isFinal() {
            return ending.equals("Done") || ending.equals("Dead") || ending.equals("Cancelled");
        }
    }

    static JobRecords read(Map<String, Path> logs) {
        JobRecords all = new JobRecords(new ArrayList<>(), new ArrayList<>());
        logs.forEach((node, log) -> all.add(node, NodeLog.read(log)));
        return all;
    }

    private void add(String node, List<String[]> lines) {
        Map<String, Run> open = new HashMap<>();
        for (String[] words : lines) {
            switch (words[0]) {
                case "start" -> open.put(words[2] + words[3],
                        new Run(node, words[2], Integer.parseInt(words[3]), words[4].equals("-") ? "" : words[4],
                                Long.parseLong(words[5]), words[6], Integer.parseInt(words[7]),
                                Long.parseLong(words[1]), null));
                case "end" -> {
                    Run run = open.remove(words[2] + words[3]);
                    if (run == null) {
                        throw new AssertionError(node + " ended what it had not started: " + String.join(" ", words));
                    }
                    runs.add(run.until(new End(Long.parseLong(words[1]), words[4])));
                }
                case "settled" -> settled.add(new Settled(node, words[2], Integer.parseInt(words[3]), words[4],
                        words[5].equals("accepted")));
                default -> {
                }
            }
        }
        runs.addAll(open.values());
    }
}

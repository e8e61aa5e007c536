package dev.orderly.schedule;

import dev.orderly.job.JobId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The pause of a schedule and its last runs: the part of its state that stores keep as one text.
 *
 * @param pause null while the schedule fires
 * @param runs the newest first, {@value #RUNS_MAX} at most
 */
public record ScheduleHistory(@Nullable SchedulePause pause, List<PastRun> runs) {
    /** The most runs that are kept. */
    public static final int RUNS_MAX = 20;

    /** Of a schedule that has never fired. */
    public static final ScheduleHistory EMPTY = new ScheduleHistory(null, List.of());

    public ScheduleHistory {
        runs = List.copyOf(runs);
    }

    /** With a further run; skips in a row are one entry, so that they do not displace the runs. */
    ScheduleHistory with(PastRun run) {
        if (run.skips() > 0 && !runs.isEmpty() && runs.getFirst().skips() > 0) {
            PastRun all = new PastRun(run.instant(), run.at(), null, run.outcome(), null,
                    runs.getFirst().skips() + run.skips());
            return new ScheduleHistory(pause,
                    Stream.concat(Stream.of(all), runs.stream().skip(1)).toList());
        }
        return new ScheduleHistory(pause, Stream.concat(Stream.of(run), runs.stream()).limit(RUNS_MAX).toList());
    }

    ScheduleHistory paused(@Nullable SchedulePause value) {
        return new ScheduleHistory(value, runs);
    }

    /** With the end of the run whose job it is. */
    ScheduleHistory ended(JobId job, PastRun.Outcome outcome, @Nullable Instant at) {
        return new ScheduleHistory(pause,
                runs.stream().map(run -> job.equals(run.job()) ? run.ended(outcome, at) : run).toList());
    }

    /** The last run with a job; null if there is none. */
    @Nullable
    PastRun last() {
        return runs.stream().filter(run -> run.job() != null).findFirst().orElse(null);
    }

    /** The last run with a job, if its end is not recorded yet; otherwise null. */
    @Nullable
    PastRun underWay() {
        PastRun last = last();
        return last == null || last.outcome() != PastRun.Outcome.UNDER_WAY ? null : last;
    }

    /** The form in which stores keep it. */
    public String write() {
        ObjectNode json = JsonMapper.shared().createObjectNode();
        if (pause != null) {
            json.putObject("pause").put("at", pause.at().toEpochMilli()).put("by", pause.by());
        }
        ArrayNode list = json.putArray("runs");
        for (PastRun run : runs) {
            ObjectNode entry = list.addObject().put("at", run.at().toEpochMilli()).put("outcome", run.outcome().name());
            if (run.instant() != null) {
                entry.put("instant", run.instant().toEpochMilli());
            }
            if (run.job() != null) {
                entry.put("job", run.job().toString());
            }
            if (run.skips() > 0) {
                entry.put("skips", run.skips());
            }
            if (run.endedAt() != null) {
                entry.put("ended", run.endedAt().toEpochMilli());
            }
        }
        return json.toString();
    }

    /** Reads the form of {@link #write}; null, as of a schedule from before there was a history, is an empty one. */
    public static ScheduleHistory read(@Nullable String text) {
        if (text == null) {
            return EMPTY;
        }
        JsonNode json = Objects.requireNonNull(JsonMapper.shared().readTree(text));
        JsonNode pause = json.path("pause");
        List<PastRun> runs = new ArrayList<>();
        for (JsonNode run : json.path("runs")) {
            String job = run.path("job").asString("");
            runs.add(new PastRun(moment(run, "instant"), Instant.ofEpochMilli(run.path("at").asLong(0)),
                    job.isEmpty() ? null : JobId.parse(job), PastRun.Outcome.valueOf(run.path("outcome").asString("")),
                    moment(run, "ended"), run.path("skips").asInt(0)));
        }
        return new ScheduleHistory(pause.isObject()
                ? new SchedulePause(Instant.ofEpochMilli(pause.path("at").asLong(0)), pause.path("by").asString(""))
                : null, runs);
    }

    private static @Nullable Instant moment(JsonNode run, String name) {
        return run.has(name) ? Instant.ofEpochMilli(run.path(name).asLong(0)) : null;
    }
}

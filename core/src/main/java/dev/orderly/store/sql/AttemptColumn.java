package dev.orderly.store.sql;

import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobFailure;
import dev.orderly.job.JobRun;
import dev.orderly.job.NodeId;
import dev.orderly.job.store.AttemptSnapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Codec of a column with the kept attempts of a job: a JSON array, oldest first, with moments in Unix milliseconds.
 * Null for none.
 */
public final class AttemptColumn {
    private static final String NUMBER = "n";
    private static final String NODE = "node";
    private static final String START = "from";
    private static final String FINISH = "to";
    private static final String END = "end";
    /** Of an attempt that awaits an event: its end is written as that of a snoozed one, which versions before know. */
    private static final String AWAITS = "awaits";
    private static final String NEXT = "next";
    private static final String SUMMARY = "error";
    private static final String DETAIL = "detail";

    private AttemptColumn() {}

    /** The column with a further attempt, bounded as {@link AttemptSnapshot#appended}. */
    public static String appended(@Nullable String column, JobAttempt next) {
        ArrayNode all = JsonMapper.shared().createArrayNode();
        AttemptSnapshot.appended(read(column, UnaryOperator.identity()), next).forEach(each -> all.add(json(each)));
        return all.toString();
    }

    /** @param time the clock's moment of a stored moment */
    public static List<JobAttempt> read(@Nullable String column, UnaryOperator<Instant> time) {
        if (column == null) {
            return List.of();
        }
        List<JobAttempt> all = new ArrayList<>();
        for (JsonNode each : JsonMapper.shared().readTree(column)) {
            JsonNode node = each.path(NODE);
            JobRun run = new JobRun(node.isString() ? new NodeId(node.stringValue()) : null, moment(each, START, time));
            JsonNode summary = each.path(SUMMARY);
            all.add(new AttemptSnapshot(each.path(NUMBER).intValue(), run, moment(each, FINISH, time),
                    each.path(AWAITS).asBoolean(false)
                            ? JobAttempt.End.AWAITING
                            : JobAttempt.End.valueOf(each.path(END).stringValue()),
                    moment(each, NEXT, time),
                    summary.isString()
                            ? new JobFailure(summary.stringValue(), each.path(DETAIL).asString(""))
                            : null));
        }
        return List.copyOf(all);
    }

    private static @Nullable Instant moment(JsonNode each, String name, UnaryOperator<Instant> time) {
        JsonNode millis = each.path(name);
        return millis.isNumber() ? time.apply(Instant.ofEpochMilli(millis.longValue())) : null;
    }

    private static ObjectNode json(JobAttempt attempt) {
        ObjectNode json = JsonMapper.shared().createObjectNode().put(NUMBER, attempt.number());
        if (attempt.run().node() != null) {
            json.put(NODE, attempt.run().node().value());
        }
        put(json, START, attempt.run().startedAt());
        put(json, FINISH, attempt.endedAt());
        JobAttempt.End end = attempt.end() == null ? JobAttempt.End.FAILED : attempt.end();
        json.put(END, (end == JobAttempt.End.AWAITING ? JobAttempt.End.SNOOZED : end).name());
        if (end == JobAttempt.End.AWAITING) {
            json.put(AWAITS, true);
        }
        put(json, NEXT, attempt.nextAt());
        JobFailure failure = attempt.failure();
        if (failure != null) {
            json.put(SUMMARY, failure.summary());
            if (!failure.detail().isEmpty()) {
                json.put(DETAIL, failure.detail());
            }
        }
        return json;
    }

    private static void put(ObjectNode json, String name, @Nullable Instant moment) {
        if (moment != null) {
            json.put(name, ColumnCodecs.millis(moment));
        }
    }
}

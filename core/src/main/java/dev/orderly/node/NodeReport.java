package dev.orderly.node;

import dev.orderly.job.NodeId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a node reports about itself.
 *
 * @param host name of the machine and number of the process, up to {@value #TEXT_MAX} characters
 * @param version version of the program, up to {@value #TEXT_MAX} characters
 * @param startedAt start of the process, by the node's clock
 * @param running jobs whose handler runs on the node
 * @param draining whether the node claims no jobs, since an operator asked for it
 */
public record NodeReport(NodeId node, String host, String version, Instant startedAt, Phase phase, int running,
        boolean draining, NodeLoad load) {
    /** The most characters of a text; the rest is cut. */
    public static final int TEXT_MAX = 255;

    /** What a node does. */
    public enum Phase {
        /** It takes work. */
        RUNNING,
        /** It finishes its work and leaves. */
        STOPPING,
        /** It has left in order; its last report. */
        STOPPED
    }

    /** @throws IllegalArgumentException if the number of running jobs is negative */
    public NodeReport {
        host = cut(host);
        version = cut(version);
        if (running < 0) {
            throw new IllegalArgumentException("A node runs no negative number of jobs: " + running);
        }
    }

    static String cut(String text) {
        return text.length() <= TEXT_MAX ? text : text.substring(0, TEXT_MAX);
    }

    /**
     * The report as a message to the other nodes.
     *
     * @param answer whether each receiver is asked to report itself at once
     */
    byte[] write(boolean answer) {
        ObjectNode json = JsonMapper.shared().createObjectNode().put("node", node.value()).put("host", host)
                .put("version", version).put("startedAt", startedAt.toString()).put("phase", phase.name())
                .put("running", running).put("answer", answer).put("draining", draining);
        load.write(json);
        return json.toString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * A received report.
     *
     * @throws IllegalArgumentException if this version cannot read it
     */
    static Received read(byte[] message) {
        try {
            JsonNode json = JsonMapper.shared().readTree(message);
            return new Received(new NodeReport(new NodeId(json.path("node").asString("")),
                    json.path("host").asString(""), json.path("version").asString(""),
                    Instant.parse(json.path("startedAt").asString("")),
                    Phase.valueOf(json.path("phase").asString("")), json.path("running").asInt(0),
                    json.path("draining").asBoolean(false), NodeLoad.read(json)),
                    json.path("answer").asBoolean(false));
        } catch (JacksonException | DateTimeParseException e) {
            throw new IllegalArgumentException("A report of another node cannot be read", e);
        }
    }

    /** A report of another node, and whether it asks for this node's report. */
    record Received(NodeReport report, boolean answer) {}
}

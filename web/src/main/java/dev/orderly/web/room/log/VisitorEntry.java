package dev.orderly.web.room.log;

import java.net.InetAddress;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A request that met a room.
 *
 * @param at the time of the room's decision
 * @param target the URL without secrets
 * @param agent the name of the client's program; empty if it sent none
 * @param permitted whether the request continued behind the room
 * @param status of the answer; 0 if the client left before an answer began
 * @param cursor the highest called place at the time of the decision
 * @param place the visitor's place in line; null without a ticket or pass
 * @param tier the tier of that line; null for none
 */
public record VisitorEntry(Instant at, String room, InetAddress address, String method, String target, String agent,
        boolean permitted, int status, long cursor, @Nullable Long place, @Nullable String tier) {
    private static final int AGENT_MAX = 256;

    /** Shortens the agent to 256 characters, and replaces what looks like a secret in it. */
    public VisitorEntry {
        agent = LogRedaction.ofText(agent.length() <= AGENT_MAX ? agent : agent.substring(0, AGENT_MAX));
    }
}

package dev.orderly.store.sqlite;

import dev.orderly.job.Beat;
import dev.orderly.job.JobStore;
import dev.orderly.job.NodeId;
import java.time.Instant;
import java.util.stream.Collectors;

/** {@link JobStore#beat}. */
final class HearBeat extends Request<Beat> {
    private final NodeId node;
    private final Instant now;

    HearBeat(NodeId node, Instant now) {
        this.node = node;
        this.now = now;
    }

    @Override
    Kind kind() {
        return Kind.LIGHT;
    }

    @Override
    Beat answer(Desk desk) {
        boolean alive = desk.nodes.beat(node, now);
        return new Beat(alive, desk.running.all().stream().filter(claim -> claim.cancelAsked)
                .filter(claim -> node.equals(claim.node)).map(claim -> desk.id(claim.seq()))
                .collect(Collectors.toSet()));
    }
}

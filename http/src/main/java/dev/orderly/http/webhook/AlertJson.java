package dev.orderly.http.webhook;

import dev.orderly.http.alert.Alert;
import dev.orderly.http.openapi.Doc;
import java.time.Instant;

/** The body of an alert: type and time as Standard Webhooks recommends, and the data. */
@Doc(name = "Alert")
public record AlertJson(
        @Doc(facets = "enum: ['room.queueing', 'room.wait', 'queue.dead', 'queue.age', 'store.away', 'certificate',"
                + " 'schedule.missed', 'schedule.undeclared', 'node.gone', 'test']") String type,
        Instant timestamp, Data data) {
    /** What happened. */
    record Data(@Doc("The value of webhook-id.") String id, Alert.Phase phase,
            @Doc("The room, queue, schedule, node, listener or part of the store.") String subject,
            @Doc("A sentence for people.") String detail,
            @Doc(value = "The new dead letters; 1 for other types.", facets = "minimum: 1") long count,
            @Doc("The beginning of the condition.") Instant since) {}

    static AlertJson of(Alert alert) {
        return new AlertJson(alert.kind().wire(), alert.at(), new Data(alert.id(), alert.phase(), alert.subject(),
                alert.detail(), alert.count(), alert.since()));
    }
}

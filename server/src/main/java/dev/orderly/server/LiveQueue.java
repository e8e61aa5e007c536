package dev.orderly.server;

import dev.orderly.job.Payload;
import dev.orderly.job.PushRefusedException;
import dev.orderly.job.PushRequest;
import dev.orderly.job.QueueName;
import dev.orderly.job.engine.JobClient;
import dev.orderly.live.ClientMessage;
import dev.orderly.live.Message;
import dev.orderly.live.MessageHandler;
import java.util.Map;
import java.util.UUID;

/**
 * Turns each message of a user into a job of one queue. The job belongs to the user; on a FIFO queue the user is the
 * group.
 */
record LiveQueue(JobClient jobs, QueueName queue) implements MessageHandler {
    @Override
    public void handle(ClientMessage message) {
        PushRequest request = PushRequest.of(queue.value(), payload(message.message()))
                .withParams(Map.of("connection", message.connection().id()));
        try {
            jobs.push(queue.isFifo()
                    // two messages with equal content are two jobs, so the content is no dedupe id
                    ? request.withGroup(message.user().value()).withDedupeId(UUID.randomUUID().toString())
                    : request);
        } catch (PushRefusedException e) {
            message.connection().send(Message.error(String.valueOf(e.getMessage())));
        }
    }

    private static Payload payload(Message message) {
        String type = switch (message) {
            case Message.Json _ -> Payload.JSON;
            case Message.Text _ -> Payload.TEXT;
            case Message.Bytes _ -> Payload.BYTES;
        };
        return new Payload(type, message.bytes());
    }
}

package dev.orderly.server;

import dev.orderly.Orderly;
import dev.orderly.config.Config;
import dev.orderly.config.UserConfig;
import dev.orderly.http.gateway.Gateway;
import dev.orderly.http.live.LiveAccess;
import dev.orderly.http.live.LiveDoor;
import dev.orderly.http.live.LiveSite;
import dev.orderly.http.live.LiveTimes;
import dev.orderly.http.user.Authenticator;
import dev.orderly.http.user.PageOrigins;
import dev.orderly.job.JobEngine;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRefused;
import dev.orderly.job.PushRequest;
import dev.orderly.job.QueueName;
import dev.orderly.live.ClientMessage;
import dev.orderly.live.Message;
import dev.orderly.time.Time;
import java.util.Map;
import java.util.UUID;

/** The live connections of a server that has users, and the queue their messages go to. */
final class Live implements AutoCloseable {
    private final LiveDoor door;
    private final boolean wanted;

    Live(Config config, Orderly orderly, Authenticator users) {
        UserConfig known = config.users();
        this.wanted = known != null;
        PageOrigins pages = known == null ? PageOrigins.OWN : known.pages();
        this.door = new LiveDoor(orderly.live(), new LiveAccess(users, pages, config.site().trusted()),
                LiveTimes.DEFAULT, Time.system());
        QueueName queue = config.live().queue();
        if (queue != null) {
            orderly.users().onMessage(message -> push(orderly.jobs(), queue, message));
        }
    }

    /** Live connections in front of everything else; nothing where there are no users. */
    Gateway before(Gateway gateway) {
        return wanted ? gateway.withGate(site -> new LiveSite(gateway.gate().apply(site), door)) : gateway;
    }

    void start() {
        if (wanted) {
            door.start();
        }
    }

    @Override
    public void close() {
        door.close();
    }

    /** Runs in the scope of the user, to whom the job belongs. */
    private static void push(JobEngine jobs, QueueName queue, ClientMessage message) {
        PushRequest request = PushRequest.of(queue.value(), payload(message.message()))
                .withParams(Map.of("connection", message.connection().id()));
        try {
            jobs.push(queue.isFifo()
                    // the same words said twice are two messages, so they are not told apart by their content
                    ? request.withGroup(message.user().value()).withDedupeId(UUID.randomUUID().toString())
                    : request);
        } catch (PushRefused e) {
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

package dev.orderly.http.listener;

import dev.orderly.flow.Quota;
import org.jspecify.annotations.Nullable;

/** What one exchange has taken of its listener's {@link ListenerCapacity}. On the connection's event loop. */
final class CapacityReservation {
    private final ListenerCapacity intake;
    private boolean request;
    private int bytes;
    private @Nullable String pushes;
    private boolean working;

    CapacityReservation(ListenerCapacity intake) {
        this.intake = intake;
    }

    /** Takes room for a request under way, unless it is held already. */
    boolean takeRequest() {
        request = request || intake.takeRequest();
        return request;
    }

    /** Takes room for a push of a client, in place of that for a request. */
    Quota.Taken takePush(String client) {
        Quota.Taken taken = intake.pushes.take(client);
        if (taken == Quota.Taken.TAKEN) {
            pushes = client;
            giveRequest();
        }
        return taken;
    }

    boolean takeBytes(int more) {
        boolean taken = intake.takeBytes(more);
        bytes += taken ? more : 0;
        return taken;
    }

    /** Gives back some of the bytes, at most those that are held. */
    void giveBytes(int some) {
        int given = Math.min(some, bytes);
        bytes -= given;
        intake.giveBytes(given);
    }

    void giveRequest() {
        if (request) {
            request = false;
            intake.giveRequest();
        }
    }

    /** A worker has begun, and keeps everything until {@link #worked}, whatever becomes of the client. */
    void works() {
        working = true;
    }

    void worked() {
        working = false;
        give();
    }

    /** Gives everything back that no worker keeps. Idempotent. */
    void give() {
        if (working) {
            return;
        }
        giveRequest();
        giveBytes(bytes);
        if (pushes != null) {
            intake.pushes.give(pushes);
            pushes = null;
        }
    }
}

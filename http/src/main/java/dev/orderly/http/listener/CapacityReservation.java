package dev.orderly.http.listener;

import dev.orderly.flow.Quota;
import org.jspecify.annotations.Nullable;

/** The share of its listener's {@link ListenerCapacity} that an exchange holds. Used on the connection's event loop. */
final class CapacityReservation {
    private final ListenerCapacity capacity;
    private boolean request;
    private int bytes;
    private @Nullable String pushes;
    private @Nullable String share;
    private boolean working;

    CapacityReservation(ListenerCapacity capacity) {
        this.capacity = capacity;
    }

    /** Takes capacity for a request, unless it is held already. */
    boolean takeRequest() {
        request = request || capacity.takeRequest();
        return request;
    }

    /** Takes one of the requests that a client may have under way over HTTP/2, unless it is held already. */
    Quota.Taken takeShare(String client) {
        Quota.Taken taken = share == null ? capacity.shared.take(client) : Quota.Taken.TAKEN;
        if (taken == Quota.Taken.TAKEN) {
            share = client;
        }
        return taken;
    }

    /** Takes capacity for a client's push, in place of that for a request. */
    Quota.Taken takePush(String client) {
        Quota.Taken taken = capacity.pushes.take(client);
        if (taken == Quota.Taken.TAKEN) {
            pushes = client;
            giveRequest();
        }
        return taken;
    }

    boolean takeBytes(int more) {
        boolean taken = capacity.takeBytes(more);
        bytes += taken ? more : 0;
        return taken;
    }

    /** Gives back bytes, at most those that are held. */
    void giveBytes(int some) {
        int given = Math.min(some, bytes);
        if (given > 0) { // most requests hold none, and all event loops share the count
            bytes -= given;
            capacity.giveBytes(given);
        }
    }

    void giveRequest() {
        if (share != null) {
            capacity.shared.give(share);
            share = null;
        }
        if (request) {
            request = false;
            capacity.giveRequest();
        }
    }

    /** A worker has started, and holds everything until {@link #worked}, even if the client goes away. */
    void works() {
        working = true;
    }

    void worked() {
        working = false;
        give();
    }

    /** Gives back everything, unless a worker holds it. Idempotent. */
    void give() {
        if (working) {
            return;
        }
        giveRequest();
        giveBytes(bytes);
        if (pushes != null) {
            capacity.pushes.give(pushes);
            pushes = null;
        }
    }
}

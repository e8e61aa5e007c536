package dev.orderly.live;

import dev.orderly.flow.TokenBucket;
import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The messages of a client that are not handled yet. They are handled in order, one at a time. */
final class Inbox {
    private static final int WAITING_MOST = 32;

    private final LiveSession session;
    private final LiveEngine engine;
    /**
     * Refused messages are counted too: a client that keeps sending at more than twice the rate is hostile or broken.
     */
    private final TokenBucket patience;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Message> waiting = new ArrayDeque<>(2);
    private boolean busy;

    enum Added {
        TAKEN, TOO_FAST, FLOOD
    }

    Inbox(LiveSession session, LiveEngine engine) {
        this.session = session;
        this.engine = engine;
        this.patience = new TokenBucket(engine.pace());
    }

    /** Called by one thread at a time. */
    Added add(Message message) {
        if (!engine.mayReceive(session) || !queue(message)) {
            return patience.take() ? Added.TOO_FAST : Added.FLOOD;
        }
        return Added.TAKEN;
    }

    private boolean queue(Message message) {
        boolean idle;
        lock.lock();
        try {
            if (waiting.size() >= WAITING_MOST) {
                return false;
            }
            waiting.add(message);
            idle = !busy;
            busy = true;
        } finally {
            lock.unlock();
        }
        if (idle) {
            begin();
        }
        return true;
    }

    private void begin() {
        try {
            engine.threads().execute(this::run);
        } catch (Throwable e) { // the next message starts the work, for this one too
            lock.lock();
            try {
                busy = false;
            } finally {
                lock.unlock();
            }
            throw e;
        }
    }

    private void run() {
        for (Message message = take(); message != null; message = take()) {
            engine.runner().run(session, message);
        }
    }

    private @Nullable Message take() {
        lock.lock();
        try {
            Message next = waiting.poll();
            busy = next != null;
            return next;
        } finally {
            lock.unlock();
        }
    }
}

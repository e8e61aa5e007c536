package dev.orderly.live;

import dev.orderly.Registration;
import dev.orderly.flow.BackgroundLoop;
import dev.orderly.flow.LogLimit;
import dev.orderly.text.DurationText;
import dev.orderly.time.Time;
import dev.orderly.user.UserScope;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/** Runs the handler for each message, and interrupts calls that exceed the timeout. Thread-safe. */
final class MessageRunner {
    private static final Logger LOG = LoggerFactory.getLogger(MessageRunner.class);
    private static final Duration WATCH = Duration.ofMillis(100);
    private static final Duration NOTHING_RUNS = Duration.ofHours(1);

    private final Time time;
    private final Duration timeout;
    private final JsonMapper json;
    private final BackgroundLoop watch;
    private final LogLimit failures;
    private final LogLimit overdue;
    private final AtomicReference<@Nullable MessageHandler> handler = new AtomicReference<>();
    /** Whether the watch was started, by the first handler. */
    private final AtomicBoolean watched = new AtomicBoolean();
    private final Set<Call> calls = ConcurrentHashMap.newKeySet();

    private static final class Call {
        final LiveSession session;
        final long deadline;
        private final Thread thread = Thread.currentThread();
        private final ReentrantLock lock = new ReentrantLock();
        private boolean ended;
        private boolean interrupted;

        Call(LiveSession session, long deadline) {
            this.session = session;
            this.deadline = deadline;
        }

        /** Interrupts the handler, once; false if it has ended. */
        boolean interrupt() {
            lock.lock();
            try {
                boolean runs = !ended && !interrupted;
                if (runs) {
                    interrupted = true;
                    thread.interrupt();
                }
                return runs;
            } finally {
                lock.unlock();
            }
        }

        /** After this, nothing interrupts the thread for this call. False if the call was interrupted. */
        boolean end() {
            lock.lock();
            try {
                ended = true;
                return !interrupted;
            } finally {
                lock.unlock();
            }
        }
    }

    MessageRunner(Time time, Duration timeout, JsonMapper json) {
        this.time = time;
        this.timeout = timeout;
        this.json = json;
        this.watch = new BackgroundLoop("live-watch", time, this::watch);
        this.failures = new LogLimit(LOG, time);
        this.overdue = new LogLimit(LOG, time);
    }

    /** @throws IllegalStateException if a handler is attached already */
    Registration handleWith(MessageHandler value) {
        if (!handler.compareAndSet(null, value)) {
            throw new IllegalStateException("Live messages have a handler already: attach only one");
        }
        if (watched.compareAndSet(false, true)) {
            watch.start();
        }
        return Registration.of(() -> handler.compareAndSet(value, null));
    }

    /** Blocks until the message is handled. Never throws. */
    void run(LiveSession session, Message received) {
        MessageHandler current = handler.get();
        if (current == null) {
            session.error("This server handles no messages");
            return;
        }
        Message message = received instanceof Message.Text(byte[] text) ? Message.ofText(text) : received;
        Call call = new Call(session, time.deadline(timeout));
        calls.add(call);
        watch.ring();
        try {
            UserScope.call(session.user(), () -> {
                current.handle(new ClientMessage(session, message, json));
                return true;
            });
        } catch (Throwable e) { // a failure ends this message only
            if (call.end()) {
                failures.error("A live message of user {} failed", session.user(), e);
                session.error("The message could not be handled");
            }
        } finally {
            call.end();
            calls.remove(call);
            Thread.interrupted(); // a late interrupt is not for the next message
        }
    }

    void stop(Duration patience) {
        calls.forEach(Call::interrupt);
        watch.stop(patience);
    }

    private Duration watch() {
        for (Call call : calls) {
            if (time.reached(call.deadline) && call.interrupt()) {
                overdue.error("A live message of user {} was not handled within {}", call.session.user(),
                        DurationText.of(timeout));
                call.session.error("The message could not be handled in time");
            }
        }
        return calls.isEmpty() ? NOTHING_RUNS : WATCH;
    }
}

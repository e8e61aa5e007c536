package dev.orderly.testkit.jobsim;

import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/**
 * Threads that take turns, and the time between them. Exactly one runs, until it waits; the seed chooses the next of
 * those that could run; time passes only while none could, to the next event.
 *
 * <p>The threads are virtual, on a scheduler of their own: the thread that calls {@link #run} carries them all. So
 * every wait of the engine, by whatever means of the JDK, is a turn, and none escapes the seed. The JDK keeps this
 * scheduler to itself, so the process needs {@code --add-opens java.base/java.lang=ALL-UNNAMED}. It also keeps each
 * thread that has not ended, as those of killed nodes, unless it is started with {@code -Djdk.trackAllThreads=false}:
 * without that some 500 histories fill a heap of 1 GB.
 */
final class Turns {
    /** A thread that reads the clock more often than this in one turn never rests. */
    private static final int READS_MOST = 1_000_000;
    private static final Constructor<?> BUILDER = builder();

    final Random random;
    private final List<Turn> ready = new ArrayList<>();
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long now;
    private long number;
    private long turns;
    private int reads;
    private long fingerprint;

    private record Turn(Executor owner, Runnable task) {}

    /** Something that happens at a moment, unless it is cancelled before. */
    static final class Event implements Comparable<Event> {
        private final long at;
        private final long number;
        private final Runnable what;
        private boolean cancelled;

        private Event(long at, long number, Runnable what) {
            this.at = at;
            this.number = number;
            this.what = what;
        }

        void cancel() {
            cancelled = true;
        }

        @Override
        public int compareTo(Event other) {
            return at == other.at ? Long.compare(number, other.number) : Long.compare(at, other.at);
        }
    }

    Turns(long seed) {
        this.random = new Random(seed);
    }

    private static Constructor<?> builder() {
        try {
            Constructor<?> builder = Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder")
                    .getDeclaredConstructor(Executor.class);
            builder.setAccessible(true);
            return builder;
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new IllegalStateException("The simulation of jobs schedules virtual threads itself: start the JVM"
                    + " with --add-opens java.base/java.lang=ALL-UNNAMED, on a JDK 25", e);
        }
    }

    /** A thread that takes turns, and so do the virtual threads that it starts. */
    static Thread.Builder.OfVirtual threads(Executor owner) {
        try {
            return ((Thread.Builder.OfVirtual) BUILDER.newInstance(owner)).inheritInheritableThreadLocals(false);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Nanoseconds since the start. */
    long now() {
        return now;
    }

    /** Notes that the running thread reads the clock. If it does nothing else, its turn ends, and the run. */
    @SuppressWarnings("ThreadPriorityCheck") // the scheduler is this class
    void read() {
        if (++reads > READS_MOST) {
            Thread.yield();
        }
    }

    /** A number of turns and events so far, and a number that depends on each of them. */
    String trace() {
        return turns + " turns, " + number + " events, " + Long.toHexString(fingerprint);
    }

    /** Mixes what happened into the trace. */
    void note(long what) {
        fingerprint = (fingerprint * 31 + what) * 0x9E3779B97F4A7C15L + now;
    }

    Event at(long moment, Runnable what) {
        Event event = new Event(Math.max(now, moment), number++, what);
        events.add(event);
        return event;
    }

    Event in(long nanos, Runnable what) {
        return at(now + nanos, what);
    }

    /** Lets a task of an owner take a turn. */
    void ready(Executor owner, Runnable task) {
        ready.add(new Turn(owner, task));
    }

    /** Takes the tasks of an owner out of the turns. */
    List<Runnable> takeOut(Executor owner) {
        List<Runnable> out = ready.stream().filter(turn -> turn.owner.equals(owner)).map(Turn::task).toList();
        ready.removeIf(turn -> turn.owner.equals(owner));
        return out;
    }

    /** A random number of nanoseconds; small ones are as likely as large ones. */
    long within(long most) {
        return (long) (most * Math.pow(random.nextDouble(), 3));
    }

    /** Goes on until {@code over}, or until nothing can happen any more before the end. */
    void run(BooleanSupplier over, long end) {
        while (!over.getAsBoolean()) {
            if (!ready.isEmpty()) {
                int chosen = random.nextInt(ready.size());
                Turn turn = ready.get(chosen);
                Turn last = ready.removeLast();
                if (chosen < ready.size()) {
                    ready.set(chosen, last);
                }
                turns++;
                reads = 0;
                turn.task.run();
                if (reads > READS_MOST) {
                    throw new BrokenJobPromise("A thread reads the clock without an end, and no time passes", null);
                }
            } else if (events.isEmpty() || events.element().at > end) {
                now = Math.max(now, end);
                return;
            } else {
                Event event = events.remove();
                if (!event.cancelled) {
                    now = event.at;
                    event.what.run();
                }
            }
        }
    }
}

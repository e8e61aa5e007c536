package dev.orderly.flow;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives each task a platform thread: an idle one, else a new one. No task waits behind another, and the operating system
 * shares the cores out between them, so a task that computes takes nothing but its share of a core.
 *
 * <p>Idle threads end after 10 seconds; all are daemons. Beyond {@code most} threads, and where the system has no more to
 * give, tasks run on virtual threads. A task that throws is logged and harms no other. Thread-safe.
 */
public final class CachedThreads implements Executor {
    private static final Logger LOG = LoggerFactory.getLogger(CachedThreads.class);
    private static final long LINGER = Duration.ofSeconds(10).toNanos();
    private static final int WAKING_MOST = Runtime.getRuntime().availableProcessors();

    private final String name;
    private final int most;
    private final ThreadFactory factory;
    private final Executor beyond;
    private final AtomicBoolean scarce = new AtomicBoolean();
    private final ReentrantLock lock = new ReentrantLock();
    /** Tasks for threads that are idle or waking: never more than there are of those. */
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    /** The one that was busy last is taken first, so the others end when there is less to do. */
    private final ArrayDeque<Worker> idle = new ArrayDeque<>();
    private int waking;
    private int threads;

    /** As many threads as there are tasks at once. */
    public CachedThreads(String name) {
        this(name, Integer.MAX_VALUE);
    }

    /** @param most platform threads */
    public CachedThreads(String name, int most) {
        this(name, most, Thread.ofPlatform().daemon().inheritInheritableThreadLocals(false)
                .name("orderly-" + name + "-", 0).factory());
    }

    /** @param factory makes the platform threads */
    CachedThreads(String name, int most, ThreadFactory factory) {
        this.name = name;
        this.most = most;
        this.factory = factory;
        this.beyond = Thread.ofVirtual().name("orderly-" + name)::start;
    }

    /** Runs the task soon, and never on the calling thread. Does not block. */
    @Override
    public void execute(Runnable task) {
        boolean fits;
        lock.lock();
        try {
            if (tasks.size() < idle.size() + waking) {
                tasks.add(task);
                wake();
                return;
            }
            fits = threads < most;
            if (fits) {
                threads++;
            }
        } finally {
            lock.unlock();
        }
        if (!fits || !started(task)) {
            beyond.execute(() -> run(task));
        }
    }

    private boolean started(Runnable task) {
        try {
            factory.newThread(new Worker(task)).start();
            scarce.set(false);
            return true;
        } catch (Throwable e) { // the system has no thread or no memory for one
            lock.lock();
            try {
                threads--;
            } finally {
                lock.unlock();
            }
            if (!scarce.getAndSet(true)) {
                LOG.warn("No thread can be started for {}; virtual threads do that work: {}", name, e.toString());
            }
            return false;
        }
    }

    private void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) { // whatever a task throws is its own affair
            FatalErrors.report(name, e);
            logged(e);
        }
        Thread.interrupted(); // one that came at the last moment is not for the next task
    }

    @SuppressWarnings("EmptyCatch")
    private void logged(Throwable thrown) {
        try {
            LOG.error("A task of {} failed", name, thrown);
        } catch (Throwable _) {
            // without memory nothing can be logged, and it is reported already
        }
    }

    /**
     * Wakes threads for the tasks there are, a few at a time, each of which wakes others: tasks that are done at once
     * are done by a few threads. Under the lock.
     */
    private void wake() {
        while (waking < tasks.size() && waking < WAKING_MOST && !idle.isEmpty()) {
            Worker next = idle.pop();
            next.woken = true;
            waking++;
            next.bell.signal();
        }
    }

    private final class Worker implements Runnable {
        private final Condition bell = lock.newCondition();
        private @Nullable Runnable first;
        private boolean woken;

        Worker(Runnable first) {
            this.first = first;
        }

        @Override
        public void run() {
            try {
                for (Runnable task = first; task != null; task = next()) {
                    first = null;
                    CachedThreads.this.run(task);
                }
            } finally {
                lock.lock();
                try {
                    threads--;
                } finally {
                    lock.unlock();
                }
            }
        }

        /** The next task; null when there was none for long. */
        private @Nullable Runnable next() {
            lock.lock();
            try {
                Runnable task = tasks.poll();
                while (task == null && waited()) {
                    task = tasks.poll();
                }
                if (task == null) {
                    task = tasks.poll(); // as many may have come as there were threads, this one counted
                }
                wake();
                return task;
            } finally {
                lock.unlock();
            }
        }

        /** Whether this thread was woken in time. */
        private boolean waited() {
            woken = false;
            idle.push(this);
            long left = LINGER;
            while (!woken && left > 0) {
                try {
                    left = bell.awaitNanos(left);
                } catch (InterruptedException _) {
                    // meant for a task that has ended
                }
            }
            if (woken) {
                waking--;
            } else {
                idle.remove(this);
            }
            return woken;
        }
    }
}

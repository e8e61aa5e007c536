package dev.orderly.flow;

import dev.orderly.time.Time;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An executor that runs each task on a platform thread of its own: an idle thread, else a new one. No task waits behind
 * another, and the operating system shares the cores between the threads, so a computing task takes only its share of a
 * core.
 *
 * <p>Idle threads end after 10 seconds; all are daemons. Beyond {@code most} threads, and if the system has no thread
 * left, tasks run on virtual threads. An exception of a task is logged and affects no other task. Thread-safe.
 */
public final class CachedThreads implements Executor {
    private static final Logger LOG = LoggerFactory.getLogger(CachedThreads.class);
    private static final Duration LINGER = Duration.ofSeconds(10);
    private static final int WAKING_MOST = Runtime.getRuntime().availableProcessors();

    private final String name;
    private final int most;
    private final Time time;
    private final ThreadFactory factory;
    private final Executor beyond;
    private final AtomicBoolean scarce = new AtomicBoolean();
    private final ReentrantLock lock = new ReentrantLock();
    /** Tasks that no thread has taken yet. While there is any, a thread is waking, or about to wake another. */
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    /** A stack: the thread that was busy last is woken first, so the others end when there is less to do. */
    private final ArrayDeque<Worker> idle = new ArrayDeque<>();
    /** The number of threads that were woken or started and have not looked for a task yet. */
    private int waking;
    private int threads;

    /** An executor without a limit on its threads. */
    public CachedThreads(String name, Time time) {
        this(name, Integer.MAX_VALUE, time);
    }

    /** @param most the maximum number of platform threads */
    public CachedThreads(String name, int most, Time time) {
        this(name, most, time, time.threads("orderly-" + name + "-"));
    }

    /** @param factory makes the platform threads */
    CachedThreads(String name, int most, Time time, ThreadFactory factory) {
        this.name = name;
        this.most = most;
        this.time = time.machine();
        this.factory = factory;
        this.beyond = Thread.ofVirtual().name("orderly-" + name)::start;
    }

    /**
     * Runs the task soon, and never on the calling thread. Does not block. If this method throws, the task does not
     * run.
     */
    @Override
    public void execute(Runnable task) {
        lock.lock();
        try {
            tasks.add(task);
        } finally {
            lock.unlock();
        }
        try {
            rouse();
        } catch (Throwable e) {
            if (dropped(task)) {
                throw e;
            }
        }
    }

    /**
     * Wakes or starts threads for the waiting tasks, a few at a time; each thread wakes others before it begins its
     * task. A few threads therefore do many short tasks, and a long task delays no other.
     */
    private void rouse() {
        for (Next next = next(); next != null; next = next()) {
            switch (next) {
                case Next.Woken _ -> {
                }
                case Next.Fresh(Worker worker) -> start(worker);
                case Next.Excess(Runnable task) -> beyond.execute(() -> run(task));
            }
        }
    }

    /** The next measure for the tasks that no thread has taken. */
    private sealed interface Next {
        record Woken() implements Next {}

        record Fresh(Worker worker) implements Next {}

        record Excess(Runnable task) implements Next {}
    }

    private @Nullable Next next() {
        lock.lock();
        try {
            if (waking >= Math.min(tasks.size(), WAKING_MOST)) {
                return null;
            }
            if (!idle.isEmpty()) {
                Worker worker = idle.pop();
                worker.woken = true;
                waking++;
                worker.bell.ring();
                return new Next.Woken();
            }
            if (threads < most) {
                threads++;
                waking++;
                return new Next.Fresh(new Worker());
            }
            return new Next.Excess(tasks.remove());
        } finally {
            lock.unlock();
        }
    }

    private void start(Worker worker) {
        try {
            factory.newThread(worker).start();
            scarce.set(false);
        } catch (Throwable e) { // the system has no thread or no memory left
            Runnable task = unstarted();
            if (!scarce.getAndSet(true)) {
                LOG.warn("No thread can be started for {}; virtual threads run its tasks: {}", name, e.toString());
            }
            if (task != null) {
                beyond.execute(() -> run(task));
            }
        }
    }

    private @Nullable Runnable unstarted() {
        lock.lock();
        try {
            threads--;
            waking--;
            return tasks.poll();
        } finally {
            lock.unlock();
        }
    }

    private boolean dropped(Runnable task) {
        lock.lock();
        try {
            return tasks.remove(task);
        } finally {
            lock.unlock();
        }
    }

    private void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) { // a task's failure does not affect the thread
            FatalErrors.report(name, e);
            log(e);
        }
        Thread.interrupted(); // a late interrupt is not for the next task
    }

    @SuppressWarnings("EmptyCatch")
    private void log(Throwable thrown) {
        try {
            LOG.error("A task of {} failed", name, thrown);
        } catch (Throwable _) {
            // without memory nothing can be logged, and the error is reported already
        }
    }

    private final class Worker implements Runnable {
        private final Wakeup bell = new Wakeup();
        /** Whether it counts as waking. */
        private volatile boolean woken = true;

        @Override
        public void run() {
            try {
                for (Runnable task = take(); task != null; task = take()) {
                    rouseOthers();
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

        private void rouseOthers() {
            try {
                rouse();
            } catch (Throwable e) { // this thread still runs its own task
                FatalErrors.report(name, e);
            }
        }

        /** The next task; null if there was none for ten seconds. */
        private @Nullable Runnable take() {
            Runnable task = poll(true);
            while (task == null && wokenInTime()) {
                task = poll(true);
            }
            return task == null ? poll(false) : task;
        }

        /** @param waits whether the thread is idle from now on, if there is no task */
        private @Nullable Runnable poll(boolean waits) {
            lock.lock();
            try {
                if (woken) {
                    woken = false;
                    waking--;
                }
                Runnable task = tasks.poll();
                if (task == null && waits) {
                    idle.push(this);
                }
                return task;
            } finally {
                lock.unlock();
            }
        }

        /** Whether this thread was woken in time; else it is no longer idle. */
        private boolean wokenInTime() {
            long deadline = time.deadline(LINGER);
            while (!woken && !time.reached(deadline)) {
                bell.await(time, deadline);
                Thread.interrupted(); // the interrupt was meant for a task that has ended
            }
            lock.lock();
            try {
                if (!woken) {
                    idle.remove(this);
                }
                return woken;
            } finally {
                lock.unlock();
            }
        }
    }
}

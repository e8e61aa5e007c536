package dev.orderly.cli.process;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The signals of the process. The first SIGINT or SIGTERM ends {@link #await}, the second ends the process at once.
 * SIGHUP runs an action, where the system has this signal.
 *
 * <p>The JDK's own handling runs shutdown hooks at the first signal and ignores a second one, so a slow stop could not
 * be cut short. {@code sun.misc.Signal} can do it and is supported for that, but javac warns about every use; hence the
 * reflection. Without it the hook set by {@link #onExit} still stops in order.
 */
public final class ProcessSignals {
    private static final int INTERRUPTED = 130;

    private final CountDownLatch came = new CountDownLatch(1);
    private final AtomicBoolean supervised = new AtomicBoolean();
    private final AtomicInteger count = new AtomicInteger();

    public ProcessSignals() {
        handle("INT", () -> stopping(false));
        handle("TERM", () -> stopping(true));
    }

    /** Runs an action at each SIGHUP, which ends the process otherwise. */
    public void onHangup(Runnable action) {
        handle("HUP", () -> Thread.ofPlatform().name("orderly-hangup").start(action));
    }

    /** Runs an action when the process ends in any other way than by {@code kill -9} or a second signal. */
    public static void onExit(Runnable stop) {
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name("orderly-stop").unstarted(stop));
    }

    /** Blocks until the first signal; returns whether it was SIGTERM, which a supervisor sends. */
    public boolean await() {
        try {
            came.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return supervised.get();
    }

    /** Blocks until the first signal, but not longer than the wait; returns whether a signal has come. */
    public boolean await(Duration wait) {
        try {
            return came.await(wait.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    @SuppressWarnings("ReferenceEquality") // a proxy equals only itself
    private static void handle(String name, Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
            InvocationHandler came = (proxy, method, arguments) -> switch (method.getName()) {
                case "handle" -> run(action);
                case "equals" -> arguments != null && proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> "orderly's handler of " + name;
            };
            Object handler = Proxy.newProxyInstance(ProcessSignals.class.getClassLoader(), new Class<?>[]{handlerType},
                    came);
            signal.getMethod("handle", signal, handlerType)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), handler);
        } catch (ReflectiveOperationException _) {
            // the JDK's own handling remains, see above
        }
    }

    @SuppressWarnings("NullAway") // invoking a void method returns null
    private static Object run(Runnable action) {
        action.run();
        return null;
    }

    private void stopping(boolean bySupervisor) {
        if (count.incrementAndGet() > 1) {
            Runtime.getRuntime().halt(INTERRUPTED);
        }
        supervised.set(bySupervisor);
        came.countDown();
    }
}

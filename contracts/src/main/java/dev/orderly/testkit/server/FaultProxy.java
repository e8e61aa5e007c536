package dev.orderly.testkit.server;

import dev.orderly.time.Time;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A loopback proxy to a server that fails as networks do. At first it passes everything on.
 *
 * <p>Thread-safe. A fault does not affect data that was passed on before; it applies to open and new connections until
 * the next order.
 */
public final class FaultProxy implements AutoCloseable {
    private static final int CHUNK = 64 << 10;
    private static final int CONNECT_MILLIS = 5_000;

    private final InetSocketAddress target;
    private final ServerSocket door;
    private final Time time = Time.system();
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private final AtomicInteger loseReplies = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private Mode mode = Mode.PASS;
    private Duration delay = Duration.ZERO;

    private enum Mode {
        PASS, STALL, LOSE, REFUSE
    }

    /** @param port of a server on this machine, which need not run yet */
    public FaultProxy(int port) {
        target = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try {
            door = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().name("fault-proxy").start(this::accept);
    }

    /** The port for clients. */
    public int port() {
        return door.getLocalPort();
    }

    /** The number of open connections. */
    public int connections() {
        return links.size();
    }

    /** Ends all faults: passes everything on, beginning with data that was held back. */
    public void pass() {
        set(Mode.PASS, Duration.ZERO);
        loseReplies.set(0);
    }

    /** Delays everything, in both directions. */
    public void delay(Duration each) {
        set(Mode.PASS, each);
    }

    /** Holds everything back until {@link #pass}; connections stay open, and new connections are accepted. */
    public void stall() {
        set(Mode.STALL, Duration.ZERO);
    }

    /**
     * Discards all data in both directions without an error; connections stay open, and new connections are accepted.
     */
    public void blackHole() {
        set(Mode.LOSE, Duration.ZERO);
    }

    /** Breaks all connections. New connections are accepted. */
    public void cut() {
        links.forEach(Link::close);
    }

    /** Breaks all connections, and each new connection at once. */
    public void refuse() {
        set(Mode.REFUSE, Duration.ZERO);
        cut();
    }

    /**
     * Discards the next replies of the server and breaks their connections: the work is done and the client does not
     * learn it.
     */
    public void loseReplies(int count) {
        loseReplies.set(count);
    }

    @Override
    public void close() {
        try {
            door.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        pass();
        cut();
    }

    private void set(Mode next, Duration later) {
        lock.lock();
        try {
            mode = next;
            delay = later;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void accept() {
        while (!door.isClosed()) {
            try {
                Socket client = door.accept();
                Thread.ofVirtual().name("fault-proxy-link").start(() -> link(client));
            } catch (IOException _) {
                // closed, which the loop detects
            }
        }
    }

    private void link(Socket client) {
        if (now() == Mode.REFUSE) {
            close(client);
            return;
        }
        Socket server = new Socket();
        Link link = new Link(client, server);
        links.add(link);
        try {
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            server.connect(target, CONNECT_MILLIS);
            Thread.ofVirtual().name("fault-proxy-reply").start(() -> link.pump(server, client, true));
            link.pump(client, server, false);
        } catch (IOException e) {
            link.close();
        }
    }

    private Mode now() {
        lock.lock();
        try {
            return mode;
        } finally {
            lock.unlock();
        }
    }

    /** Waits as the fault demands. False if the data is to be discarded. */
    private boolean mayPass() throws InterruptedException {
        Duration wait;
        lock.lockInterruptibly();
        try {
            while (mode == Mode.STALL) {
                changed.await();
            }
            if (mode != Mode.PASS) {
                return false;
            }
            wait = delay;
        } finally {
            lock.unlock();
        }
        long deadline = time.deadline(wait);
        while (!time.reached(deadline)) {
            time.park(deadline);
        }
        return true;
    }

    private boolean loses() {
        return loseReplies.getAndUpdate(count -> Math.max(0, count - 1)) > 0;
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException _) {
            // it is closed either way
        }
    }

    /** A connection of a client, and its connection to the server. */
    private final class Link {
        private final Socket client;
        private final Socket server;

        Link(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void pump(Socket from, Socket to, boolean replies) {
            byte[] chunk = new byte[CHUNK];
            try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
                    if (replies && loses()) {
                        break;
                    }
                    if (mayPass()) {
                        out.write(chunk, 0, length);
                    }
                }
            } catch (IOException _) {
                // broken, as the other side is then
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            } finally {
                close();
            }
        }

        void close() {
            links.remove(this);
            FaultProxy.close(client);
            FaultProxy.close(server);
        }
    }
}

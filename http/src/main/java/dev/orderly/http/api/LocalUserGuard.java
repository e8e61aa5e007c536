package dev.orderly.http.api;

import dev.orderly.flow.LogLimit;
import dev.orderly.http.listener.ConnectionGuard;
import dev.orderly.http.problem.Problem;
import dev.orderly.http.problem.ProblemType;
import dev.orderly.time.Time;
import io.vertx.core.net.SocketAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts only loopback connections of the server's own user and of root, as a file of mode 0600 does. The kernel lists
 * the user of each end of a connection in {@code /proc/net/tcp} and {@code tcp6} (proc(5)). The tables are read once a
 * connection. A connection that is not listed, such as a connection that its client has closed already, is refused.
 * Thread-safe.
 */
final class LocalUserGuard implements ConnectionGuard {
    private static final Logger LOG = LoggerFactory.getLogger(LocalUserGuard.class);
    private static final Path TABLES = Path.of("/proc/net");
    private static final Path SELF = Path.of("/proc/self");
    private static final long ROOT = 0;
    private static final String ESTABLISHED = "01";
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int STATE = 3;
    private static final int USER = 7;
    private static final int INODE = 9;
    private static final int ADDRESS_4 = 4;

    private final List<Path> tables;
    private final long own;
    private final LogLimit failures = new LogLimit(LOG, Time.system());

    /**
     * Makes a guard.
     *
     * @param tables the folder of the kernel's tables
     * @param own the id of the user that is accepted beside root
     */
    LocalUserGuard(Path tables, long own) {
        this.tables = List.of(tables.resolve("tcp"), tables.resolve("tcp6"));
        this.own = own;
    }

    /** The guard of this machine. If its kernel has no such tables, every connection passes and a warning is logged. */
    static ConnectionGuard of(LocalUsers users) {
        if (users == LocalUsers.ANY) {
            return ConnectionGuard.NONE;
        }
        try {
            if (Files.isReadable(TABLES.resolve("tcp"))) {
                return new LocalUserGuard(TABLES, ((Number) Files.getAttribute(SELF, "unix:uid")).longValue());
            }
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            LOG.debug("The user of this process is not known: {}", e.toString());
        }
        LOG.warn("This machine does not list the users of connections: every user of this machine may use the API");
        return ConnectionGuard.NONE;
    }

    @Override
    public @Nullable Problem refusal(SocketAddress peer, SocketAddress at) {
        OptionalLong user;
        try {
            user = user(peer, at);
        } catch (IOException e) {
            failures.warn("The kernel's table of connections cannot be read, so the API refuses: {}", e.toString());
            user = OptionalLong.empty();
        }
        if (user.isPresent() && (user.getAsLong() == own || user.getAsLong() == ROOT)) {
            return null;
        }
        return new Problem(ProblemType.FORBIDDEN,
                "The API serves only the user that the server runs as, and root: run the"
                        + " command as that user, or set admin.local-users to any if every user of this machine may");
    }

    /** The user of the peer's end; empty if no table lists it. */
    private OptionalLong user(SocketAddress peer, SocketAddress at) throws IOException {
        byte[] address = InetAddress.getByName(peer.hostAddress()).getAddress();
        String local = hex(address) + ":" + port(peer.port());
        String remote = ":" + port(at.port());
        for (Path table : tables) {
            if (Files.exists(table)) {
                OptionalLong user = user(table, local, remote);
                if (user.isPresent()) {
                    return user;
                }
            }
        }
        return OptionalLong.empty();
    }

    private static OptionalLong user(Path table, String local, String remote) throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(table)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] fields = line.strip().split("\\s+", INODE + 2);
                // An IPv4 address in the IPv6 table has a prefix. A closed socket has no inode.
                if (fields.length > INODE && fields[LOCAL].endsWith(local) && fields[REMOTE].endsWith(remote)
                        && fields[STATE].equals(ESTABLISHED) && !fields[INODE].equals("0")) {
                    return OptionalLong.of(Long.parseLong(fields[USER]));
                }
            }
        }
        return OptionalLong.empty();
    }

    private static String port(int port) {
        return String.format(Locale.ROOT, "%04X", port);
    }

    /** An address as the kernel prints it on a little-endian machine: each group of four bytes is reversed. */
    private static String hex(byte[] address) {
        byte[] printed = new byte[address.length];
        for (int i = 0; i < address.length; i++) {
            printed[i] = address[i / ADDRESS_4 * ADDRESS_4 + ADDRESS_4 - 1 - i % ADDRESS_4];
        }
        return HexFormat.of().withUpperCase().formatHex(printed);
    }
}

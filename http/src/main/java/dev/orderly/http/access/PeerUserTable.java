package dev.orderly.http.access;

import dev.orderly.flow.LogLimit;
import dev.orderly.http.listener.PeerUsers;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The users of connections from this machine, as file permissions know them. The kernel lists the user of each end of a
 * connection in {@code /proc/net/tcp} and {@code tcp6} (proc(5)). The tables are read once a connection. Thread-safe.
 */
final class PeerUserTable implements PeerUsers {
    private static final Logger LOG = LoggerFactory.getLogger(PeerUserTable.class);
    private static final Path TABLES = Path.of("/proc/net");
    private static final Path SELF = Path.of("/proc/self");
    private static final String ESTABLISHED = "01";
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int STATE = 3;
    private static final int USER = 7;
    private static final int INODE = 9;
    private static final int ADDRESS_4 = 4;

    private final List<Path> tables;
    private final LogLimit failures = new LogLimit(LOG, Time.system());

    /** @param tables the folder of the kernel's tables */
    PeerUserTable(Path tables) {
        this.tables = List.of(tables.resolve("tcp"), tables.resolve("tcp6"));
    }

    /** The table of this machine. */
    static PeerUserTable ofThisMachine() {
        return new PeerUserTable(TABLES);
    }

    /** The user of this process; empty if the machine does not list the users of connections. */
    static OptionalLong own() {
        try {
            if (Files.isReadable(TABLES.resolve("tcp"))) {
                return OptionalLong.of(((Number) Files.getAttribute(SELF, "unix:uid")).longValue());
            }
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            LOG.debug("The user of this process is not known: {}", e.toString());
        }
        return OptionalLong.empty();
    }

    @Override
    public long user(SocketAddress peer, SocketAddress at) {
        try {
            InetAddress address = InetAddress.getByName(peer.hostAddress());
            boolean here = address.isLoopbackAddress() || peer.hostAddress().equals(at.hostAddress());
            return here ? user(address, peer.port(), at.port()).orElse(UNKNOWN) : UNKNOWN;
        } catch (IOException e) {
            failures.warn("The kernel's table of connections cannot be read, so local users need a token: {}",
                    e.toString());
            return UNKNOWN;
        }
    }

    /** The user of the peer's end; empty if no table lists it. */
    private OptionalLong user(InetAddress peer, int from, int at) throws IOException {
        String local = hex(peer.getAddress()) + ":" + port(from);
        String remote = ":" + port(at);
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

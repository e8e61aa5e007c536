package dev.orderly.http.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.http.listener.PeerUsers;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeerUserTableTest {
    private static final int API = 8_081;
    private static final String TITLE = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when "
            + "retrnsmt   uid"
            + "  timeout inode\n";
    /** Port 50000 is C350, port 8081 is 1F91. */
    private static final String OF_IPV4 = """
               0: 0100007F:1F91 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 900 1 0 20 4 30 10 -1
               1: 0100007F:C350 0100007F:1F91 01 00000000:00000000 00:00000000 00000000  1000        0 901 1 0 20 4 30 10 -1
               2: 0100007F:C351 0100007F:1F91 01 00000000:00000000 00:00000000 00000000     0        0 902 1 0 20 4 30 10 -1
               3: 0100007F:C352 0100007F:1F91 01 00000000:00000000 00:00000000 00000000    33        0 903 1 0 20 4 30 10 -1
               4: 0200007F:C350 0100007F:1F91 01 00000000:00000000 00:00000000 00000000    33        0 904 1 0 20 4 30 10 -1
               5: 0100007F:C353 0100007F:1F91 04 00000000:00000000 00:00000000 00000000     0        0 0 1 0 20 4 30 10 -1
               6: 0100007F:C354 0100007F:0050 01 00000000:00000000 00:00000000 00000000  1000        0 906 1 0 20 4 30 10 -1
            """;
    private static final String OF_IPV6 = """
               0: 0000000000000000FFFF00000100007F:C355 0000000000000000FFFF00000100007F:1F91 01 00000000:00000000 00:00000000 00000000  1000        0 910 1 0 20 4 30 10 -1
               1: 00000000000000000000000001000000:C356 00000000000000000000000001000000:1F91 01 00000000:00000000 00:00000000 00000000    33        0 911 1 0 20 4 30 10 -1
            """;

    @TempDir
    @Nullable
    Path folder;

    @BeforeEach
    void write() throws IOException {
        Files.writeString(tables().resolve("tcp"), TITLE + OF_IPV4);
        Files.writeString(tables().resolve("tcp6"), TITLE + OF_IPV6);
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1,50000,1000", "127.0.0.1,50001,0", "127.0.0.1,50005,1000", "127.0.0.1,50002,33",
            "127.0.0.2,50000,33", "::1,50006,33"})
    void theUserOfAConnectionIsTheUserOfThePeersEnd(String host, int port, long user) {
        assertThat(user(host, port)).isEqualTo(user);
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1,50003", "127.0.0.1,50004", "127.0.0.1,50099", "192.0.2.7,50000"})
    void aConnectionThatTheKernelDoesNotListHasNoUser(String host, int port) {
        assertThat(user(host, port)).isEqualTo(PeerUsers.UNKNOWN);
    }

    @Test
    void anUnreadableTableKnowsNoUser() throws IOException {
        Files.delete(tables().resolve("tcp"));
        Files.createDirectory(tables().resolve("tcp"));

        assertThat(user("127.0.0.1", 50_000)).isEqualTo(PeerUsers.UNKNOWN);
    }

    @Test
    void aConnectionFromTheAddressOfTheListenerComesFromThisMachine() throws IOException {
        Files.writeString(tables().resolve("tcp"), TITLE + OF_IPV4.replace("0100007F:", "0500000A:"));
        assertThat(new PeerUserTable(tables()).user(SocketAddress.inetSocketAddress(50_000, "10.0.0.5"),
                SocketAddress.inetSocketAddress(API, "10.0.0.5"))).isEqualTo(1_000);
    }

    private long user(String host, int port) {
        return new PeerUserTable(tables()).user(SocketAddress.inetSocketAddress(port, host),
                SocketAddress.inetSocketAddress(API, "127.0.0.1"));
    }

    private Path tables() {
        assertThat(folder).isNotNull();
        return folder;
    }
}

package dev.orderly.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.time.Time;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A proxy between a client and a server that echoes each line. */
@Timeout(150)
class FaultProxyTest {
    private final List<String> arrived = new CopyOnWriteArrayList<>();
    private final ServerSocket server = open();
    private final FaultProxy proxy = new FaultProxy(server.getLocalPort());

    private static ServerSocket open() {
        try {
            return new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void serve() {
        Thread.ofVirtual().start(() -> {
            while (!server.isClosed()) {
                try {
                    Socket client = server.accept();
                    Thread.ofVirtual().start(() -> answer(client));
                } catch (IOException _) {
                    // closed
                }
            }
        });
    }

    private void answer(Socket client) {
        try (client; BufferedReader in = reader(client)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                arrived.add(line);
                client.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException _) {
            // cut
        }
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
        server.close();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
        socket.setSoTimeout(20_000);
        return socket;
    }

    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    private static void say(Socket socket, String line) throws IOException {
        socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static String asked(Socket socket, BufferedReader in, String line) throws IOException {
        say(socket, line);
        return in.readLine();
    }

    @Test
    void withoutAFaultEverythingPasses() throws IOException {
        try (Socket socket = connect(); BufferedReader in = reader(socket)) {
            assertThat(asked(socket, in, "hello")).isEqualTo("hello");
            assertThat(proxy.connections()).isEqualTo(1);
        }
        await().until(() -> proxy.connections() == 0);
    }

    @Test
    void stalledDataComesLater() throws IOException {
        try (Socket socket = connect(); BufferedReader in = reader(socket)) {
            proxy.stall();
            say(socket, "wait");
            socket.setSoTimeout(200);
            assertThatThrownBy(in::readLine).isInstanceOf(SocketTimeoutException.class);
            assertThat(arrived).isEmpty();
            proxy.pass();
            socket.setSoTimeout(20_000);
            assertThat(in.readLine()).isEqualTo("wait");
        }
    }

    @Test
    void dataInABlackHoleNeverComes() throws IOException {
        try (Socket socket = connect(); BufferedReader in = reader(socket)) {
            assertThat(asked(socket, in, "before")).isEqualTo("before");
            proxy.blackHole();
            say(socket, "lost");
            socket.setSoTimeout(200);
            assertThatThrownBy(in::readLine).isInstanceOf(SocketTimeoutException.class);
            proxy.pass();
            socket.setSoTimeout(20_000);
            assertThat(asked(socket, in, "after")).isEqualTo("after");
            assertThat(arrived).containsExactly("before", "after");
        }
    }

    @Test
    void aCutBreaksOpenConnectionsAndLetsNewConnectionsThrough() throws IOException {
        try (Socket socket = connect(); BufferedReader in = reader(socket)) {
            assertThat(asked(socket, in, "before")).isEqualTo("before");
            proxy.cut();
            assertThat(endOf(in)).isTrue();
        }
        try (Socket socket = connect(); BufferedReader in = reader(socket)) {
            assertThat(asked(socket, in, "again")).isEqualTo("again");
        }
    }

    @Test
    void refusedConnectionsGetNoAnswer() throws IOException {
        proxy.refuse();
        try (Socket socket = connect(); BufferedReader in = reader(socket)) {
            assertThat(endOf(in)).isTrue();
        }
        proxy.pass();
        try (Socket socket = connect(); BufferedReader in = reader(socket)) {
            assertThat(asked(socket, in, "again")).isEqualTo("again");
        }
    }

    @Test
    void aLostReplyBelongsToWorkThatWasDone() throws IOException {
        try (Socket socket = connect(); BufferedReader in = reader(socket)) {
            proxy.loseReplies(1);
            say(socket, "done");
            assertThat(endOf(in)).isTrue();
            assertThat(arrived).containsExactly("done");
        }
        try (Socket socket = connect(); BufferedReader in = reader(socket)) {
            assertThat(asked(socket, in, "heard")).isEqualTo("heard");
        }
    }

    @Test
    void delayedDataTakesAtLeastTheDelayInEachDirection() throws IOException {
        try (Socket socket = connect(); BufferedReader in = reader(socket)) {
            proxy.delay(Duration.ofMillis(50));
            Time time = Time.system();
            long before = time.nanos();
            assertThat(asked(socket, in, "slow")).isEqualTo("slow");
            assertThat(Duration.ofNanos(time.nanos() - before)).isGreaterThanOrEqualTo(Duration.ofMillis(100));
        }
    }

    /** Whether the connection has ended, in either way. */
    private static boolean endOf(BufferedReader in) {
        try {
            return in.readLine() == null;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }
}

package dev.orderly.http.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.http.live.LiveNode;
import dev.orderly.http.live.LiveSocket;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames without content, as many as a client can send. */
@Timeout(150)
class FrameFloodResilienceTest {
    private static final int PONG = 10;

    private final LiveNode node = new LiveNode();

    @AfterEach
    void close() {
        node.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {LiveSocket.PING, PONG, LiveSocket.CONTINUATION})
    void aFloodOfThemEndsTheConnectionWithoutAnAnswerToEach(int opcode) throws IOException {
        byte[] content = new byte[opcode == LiveSocket.CONTINUATION ? 0 : 125];
        try (LiveSocket socket = new LiveSocket(node, node.token("ann"))) {
            if (opcode == LiveSocket.CONTINUATION) {
                socket.frame(LiveSocket.TEXT, false, new byte[]{'x'});
            }
            try {
                for (int i = 0; i < 5_000; i++) {
                    socket.frame(opcode, opcode != LiveSocket.CONTINUATION, content);
                }
            } catch (UncheckedIOException _) {
                // it was closed meanwhile
            }

            int pongs = 0;
            LiveSocket.Frame frame = socket.read();
            for (; frame.opcode() != LiveSocket.CLOSE; frame = socket.read()) {
                pongs += frame.opcode() == PONG ? 1 : 0;
            }

            assertThat(frame.payload()[0] << 8 | (frame.payload()[1] & 0xff)).as("too many").isEqualTo(4429);
            assertThat(pongs).isLessThan(100);
        }
    }

    @Test
    void aPingNowAndThenIsAnsweredWithItsContent() throws IOException {
        try (LiveSocket socket = new LiveSocket(node, node.token("ann"))) {
            assertThat(socket.read().opcode()).as("that it is ready").isEqualTo(LiveSocket.TEXT);
            for (byte i = 0; i < 10; i++) {
                socket.frame(LiveSocket.PING, true, new byte[]{i, 7});
                LiveSocket.Frame pong = socket.read();
                assertThat(pong.opcode()).isEqualTo(PONG);
                assertThat(pong.payload()).containsExactly(i, 7);
            }
        }
    }
}

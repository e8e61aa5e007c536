package dev.orderly.http.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.http.Proxied;
import dev.orderly.http.RawHttp;
import dev.orderly.http.RawOrigin;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An edge that asks its clients to leave before it closes. */
@Timeout(120)
class DrainTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String PUSH = "POST /mail HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n";

    @Test
    void eachAnswerIsTheLastOfItsConnectionAndNewConnectionsAreServed() {
        try (RawOrigin origin = new RawOrigin((_, _) -> "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                Proxied edge = new Proxied(Proxied.to(origin));
                RawHttp before = edge.connect();
                RawHttp pushing = edge.connect()) {
            before.send(GET);
            assertThat(answer(before)).startsWith("HTTP/1.1 200").doesNotContainIgnoringCase("connection: close");
            before.bytes(2);
            pushing.send(PUSH);

            edge.drain(Duration.ofSeconds(30));

            pushing.send("{}");
            assertThat(pushing.rest()).startsWith("HTTP/1.1 202").containsIgnoringCase("connection: close");
            before.send(GET);
            assertThat(before.rest()).startsWith("HTTP/1.1 200").containsIgnoringCase("connection: close")
                    .endsWith("ok");
            try (RawHttp after = edge.connect()) {
                after.send(GET);
                assertThat(after.rest()).startsWith("HTTP/1.1 200").containsIgnoringCase("connection: close")
                        .endsWith("ok");
            }
        }
    }

    @Test
    void anAnswerToARequestThatIsNotReadToItsEndIsNotCutOff() {
        try (RawOrigin origin = new RawOrigin((_, _) -> "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                Proxied edge = new Proxied(Proxied.to(origin));
                RawHttp raw = edge.connect()) {
            edge.drain(Duration.ofSeconds(30));
            raw.send("POST /mail HTTP/1.1\r\nHost: a\r\nContent-Length: 9000000\r\n\r\n");
            assertThat(answer(raw)).startsWith("HTTP/1.1 413");
        }
    }

    private static String answer(RawHttp raw) {
        StringBuilder head = new StringBuilder();
        for (String line = raw.line(); !line.isEmpty(); line = raw.line()) {
            head.append(line).append('\n');
        }
        return head.toString();
    }
}

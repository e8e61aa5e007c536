package dev.orderly.http.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.testkit.resilience.LogLines;
import dev.orderly.web.browser.Guest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;

/** What the log lines about a request behind a room carry. */
class RoomLogLinesTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

    @Test
    void aLineAboutARequestBehindARoomNamesRoomAndTraceAndNoToken() {
        try (RoomNode node = new RoomNode(RoomNode.ONE_INSIDE); LogLines log = LogLines.of("dev.orderly.http")) {
            Guest guest = Guest.inside(node);
            node.originDoes(exchange -> {
                throw new UncheckedIOException(new IOException("the origin breaks off"));
            });
            guest.send(node.at("/tickets/c?token=of-the-visitor").POST(BodyPublishers.ofString("x"))
                    .header("traceparent", "00-" + TRACE + "-b7ad6b7169203331-01"));

            await().until(() -> !log.with("gave no answer").isEmpty());
            assertThat(log.events()).filteredOn(event -> event.getFormattedMessage().contains("gave no answer"))
                    .allSatisfy(event -> {
                        assertThat(event.getMDCPropertyMap()).containsEntry("room", "sale")
                                .containsEntry("trace", TRACE);
                        assertThat(event.getFormattedMessage()).doesNotContain("of-the-visitor");
                        guest.cookies.values().forEach(token -> assertThat(event.getFormattedMessage()
                                + event.getMDCPropertyMap()).doesNotContain(token));
                    });
        }
    }
}

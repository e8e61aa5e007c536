package dev.orderly.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.payload.PayloadTypes;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Payloads from the wire to a typed handler, in every content type. */
class TypedPayloadTest {
    private final Node node = new Node();
    private final BlockingQueue<Order> seen = new LinkedBlockingQueue<>(10);

    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Upload(String filename, String contentType, byte[] bytes) {
        String hex() {
            return HexFormat.of().formatHex(bytes);
        }
    }

    record Order(String item, int count, List<String> tags, @Nullable Upload file) {}

    private void push(String contentType, byte[] body) {
        Node.Reply reply = node.send(node.atApi("/queues/orders/jobs").header("Content-Type", contentType)
                .POST(BodyPublishers.ofByteArray(body)));
        assertThat(reply.status()).as(reply::toString).isEqualTo(202);
    }

    @AfterEach
    void close() {
        node.close();
    }

    private Order take() throws InterruptedException {
        Order order = seen.poll(60, TimeUnit.SECONDS);
        assertThat(order).isNotNull();
        return order;
    }

    @Test
    void theContentTypeNamesTheKind() throws InterruptedException {
        node.orderly.handle(node.orderly.queue("orders", PayloadTypes.of(Order.class).kind("order", Order.class)
                .alias("old-order", "order")), (order, _) -> seen.add(order));
        node.orderly.start();
        byte[] body = "{\"item\":\"a\",\"count\":2,\"tags\":[]}".getBytes(StandardCharsets.UTF_8);
        push("application/json; kind=old-order", body);
        assertThat(take()).isEqualTo(new Order("a", 2, List.of(), null));
    }

    @Test
    void jsonFormsAndMultipartAllReachATypedHandler() throws InterruptedException {
        node.orderly.handle(node.orderly.queue("orders", Order.class), (order, _) -> seen.add(order));
        node.orderly.start();

        push("application/json",
                "{\"item\":\"a&b\",\"count\":2,\"tags\":[\"x\",\"y\"]}".getBytes(StandardCharsets.UTF_8));
        assertThat(take()).isEqualTo(new Order("a&b", 2, List.of("x", "y"), null));

        push("application/x-www-form-urlencoded", "item=a%26b&count=2&tags=x&tags=y".getBytes(StandardCharsets.UTF_8));
        assertThat(take()).isEqualTo(new Order("a&b", 2, List.of("x", "y"), null));

        String head = "--B\r\nContent-Disposition: form-data; name=";
        byte[] form = (head + "\"item\"\r\n\r\na&b\r\n" + head + "\"count\"\r\n\r\n2\r\n" + head
                + "\"tags\"\r\n\r\nx\r\n" + head + "\"tags\"\r\n\r\ny\r\n" + head
                + "\"file\"; filename=\"f.bin\"\r\nContent-Type: application/octet-stream\r\n\r\n\u0000\u00ff\u0080"
                + "\r\n--B--\r\n").getBytes(StandardCharsets.ISO_8859_1);
        push("multipart/form-data; boundary=B", form);
        Order order = take();
        assertThat(order.item()).isEqualTo("a&b");
        assertThat(order.tags()).containsExactly("x", "y");
        assertThat(order.file()).isNotNull().satisfies(file -> {
            assertThat(file.filename()).isEqualTo("f.bin");
            assertThat(file.hex()).isEqualTo("00ff80");
        });
    }
}

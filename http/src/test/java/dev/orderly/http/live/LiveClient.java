package dev.orderly.http.live;

import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A WebSocket client of the JDK that records what it receives. */
final class LiveClient implements WebSocket.Listener {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int CUT = 1006;

    final List<String> heard = new CopyOnWriteArrayList<>();
    final List<byte[]> bytes = new CopyOnWriteArrayList<>();
    final AtomicInteger pings = new AtomicInteger();
    volatile int code;
    volatile @Nullable WebSocket socket;
    private volatile boolean spoke;
    private final StringBuilder text = new StringBuilder();
    private final ByteArrayOutputStream parts = new ByteArrayOutputStream();

    /** Connects with the given headers, as pairs of names and values. */
    static LiveClient open(LiveNode node, String... headers) {
        LiveClient client = new LiveClient();
        WebSocket.Builder builder = node.client.newWebSocketBuilder().connectTimeout(SOON);
        for (int i = 0; i < headers.length; i += 2) {
            builder.header(headers[i], headers[i + 1]);
        }
        client.socket = builder.buildAsync(URI.create(node.sockets + "/.orderly/live"), client).join();
        return client;
    }

    /** The status of the answer to a handshake that has to fail. */
    static int refused(LiveNode node, String... headers) {
        try {
            open(node, headers);
            return 101;
        } catch (CompletionException e) {
            if (e.getCause() instanceof WebSocketHandshakeException refused) {
                return refused.getResponse().statusCode();
            }
            throw e;
        }
    }

    private WebSocket socket() {
        WebSocket open = socket;
        if (open == null) {
            throw new IllegalStateException("not connected");
        }
        return open;
    }

    LiveClient says(String message) {
        spoke = true;
        socket().sendText(message, true).join();
        return this;
    }

    void says(byte[] message) {
        socket().sendBinary(ByteBuffer.wrap(message), true).join();
    }

    void says(String part, boolean last) {
        socket().sendText(part, last).join();
    }

    void leaves() {
        socket().sendClose(WebSocket.NORMAL_CLOSURE, "").join();
    }

    void awaitHeard(String message) {
        await().atMost(SOON).until(() -> heard.contains(message));
    }

    int awaitClosed() {
        await().atMost(SOON).until(() -> code != 0);
        return code;
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        text.append(data);
        if (last) {
            // The first message after a valid cookie or bearer token is not recorded.
            if (spoke || !text.toString().equals("{\"orderly\":\"ready\"}")) {
                heard.add(text.toString());
            }
            text.setLength(0);
        }
        from.request(1);
        return CompletableFuture.completedStage(null);
    }

    @Override
    public CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
        byte[] copy = new byte[data.remaining()];
        data.get(copy);
        parts.writeBytes(copy);
        if (last) {
            bytes.add(parts.toByteArray());
            parts.reset();
        }
        from.request(1);
        return CompletableFuture.completedStage(null);
    }

    @Override
    public CompletionStage<?> onPing(WebSocket from, ByteBuffer message) {
        pings.incrementAndGet();
        from.request(1);
        return CompletableFuture.completedStage(null);
    }

    @Override
    public CompletionStage<?> onClose(WebSocket from, int status, String reason) {
        code = status;
        return CompletableFuture.completedStage(null);
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
        code = CUT;
    }
}

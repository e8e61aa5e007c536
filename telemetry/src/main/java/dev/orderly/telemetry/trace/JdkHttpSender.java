package dev.orderly.telemetry.trace;

import dev.orderly.flow.LogLimit;
import dev.orderly.time.Time;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.Compressor;
import io.opentelemetry.sdk.common.export.HttpResponse;
import io.opentelemetry.sdk.common.export.HttpSender;
import io.opentelemetry.sdk.common.export.HttpSenderConfig;
import io.opentelemetry.sdk.common.export.HttpSenderProvider;
import io.opentelemetry.sdk.common.export.MessageWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sender of the OTLP exporter, by the HTTP client of the JDK. A request that fails for a passing reason is repeated
 * twice; the exporter sends one at a time.
 */
final class JdkHttpSender implements HttpSender {
    private static final Logger LOG = LoggerFactory.getLogger(JdkHttpSender.class);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final List<Duration> WAITS = List.of(Duration.ofMillis(500), Duration.ofSeconds(2));
    /** As the OTLP specification lists them. */
    private static final Set<Integer> REPEATED = Set.of(429, 502, 503, 504);
    private static final int ANSWER_MAX = 64 << 10;

    private final HttpSenderConfig config;
    private final Time time;
    private final HttpClient client;
    private final LogLimit failures;

    /** Creates senders. */
    record Provider(Time time) implements HttpSenderProvider {
        @Override
        public HttpSender createSender(HttpSenderConfig config) {
            return new JdkHttpSender(config, time);
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Answer(int status, byte[] body) implements HttpResponse {
        @Override
        public int getStatusCode() {
            return status;
        }

        @Override
        public String getStatusMessage() {
            return "";
        }

        @Override
        public byte[] getResponseBody() {
            return body;
        }
    }

    private JdkHttpSender(HttpSenderConfig config, Time time) {
        this.config = config;
        this.time = time;
        this.failures = new LogLimit(LOG, time, MINUTE);
        this.client = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NEVER)
                .version(HttpClient.Version.HTTP_1_1).connectTimeout(config.getTimeout()).build();
    }

    @Override
    public void send(MessageWriter message, Consumer<HttpResponse> answered, Consumer<Throwable> failed) {
        HttpRequest request;
        try {
            request = request(message);
        } catch (IOException | RuntimeException e) {
            failed.accept(e);
            return;
        }
        Thread.ofVirtual().name("orderly-traces").start(() -> {
            try {
                Answer answer = repeated(request);
                if (answer.status >= 300) {
                    failures.warn("The collector of traces at {} answered {}, and its spans are dropped: check"
                            + " traces.url and traces.headers-env", config.getEndpoint().getAuthority(), answer.status);
                }
                answered.accept(answer);
            } catch (IOException | RuntimeException e) {
                failures.warn("Traces cannot be sent to {}, and are dropped: {}", config.getEndpoint().getAuthority(),
                        e.toString());
                failed.accept(e);
            } catch (InterruptedException e) {
                failed.accept(e);
            }
        });
    }

    private Answer repeated(HttpRequest request) throws IOException, InterruptedException {
        for (Duration wait : WAITS) {
            try {
                Answer answer = sent(request);
                if (!REPEATED.contains(answer.status)) {
                    return answer;
                }
            } catch (IOException e) {
                LOG.debug("Traces are sent again: {}", e.toString());
            }
            long deadline = time.deadline(wait);
            while (!time.reached(deadline)) {
                time.park(deadline);
            }
        }
        return sent(request);
    }

    private Answer sent(HttpRequest request) throws IOException, InterruptedException {
        java.net.http.HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
        try (InputStream body = response.body()) {
            byte[] bytes = body.readNBytes(ANSWER_MAX);
            return new Answer(response.statusCode(), bytes);
        }
    }

    private HttpRequest request(MessageWriter message) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        HttpRequest.Builder request = HttpRequest.newBuilder(config.getEndpoint()).timeout(config.getTimeout());
        Compressor compressor = config.getCompressor();
        if (compressor == null) {
            message.writeMessage(bytes);
        } else {
            request.header("Content-Encoding", compressor.getEncoding());
            try (OutputStream compressed = compressor.compress(bytes)) {
                message.writeMessage(compressed);
            }
        }
        config.getHeadersSupplier().get()
                .forEach((name, values) -> values.forEach(value -> request.header(name, value)));
        return request.header("Content-Type", config.getContentType())
                .POST(BodyPublishers.ofByteArray(bytes.toByteArray())).build();
    }

    @Override
    public CompletableResultCode shutdown() {
        client.shutdown();
        return CompletableResultCode.ofSuccess();
    }
}

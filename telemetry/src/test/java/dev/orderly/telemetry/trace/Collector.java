package dev.orderly.telemetry.trace;

import com.google.protobuf.ByteString;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;

/** A collector that parses what it gets, by the published definition of OTLP. */
final class Collector implements AutoCloseable {
    final Queue<ResourceSpans> resources = new ConcurrentLinkedQueue<>();
    final Queue<String> keys = new ConcurrentLinkedQueue<>();
    final AtomicInteger refusals = new AtomicInteger();
    private final HttpServer server;

    Collector() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", this::receive);
        server.start();
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/v1/traces");
    }

    List<Span> spans() {
        return resources.stream().flatMap(resource -> resource.getScopeSpansList().stream())
                .flatMap(scope -> scope.getSpansList().stream()).toList();
    }

    List<Span> spans(String name) {
        return spans().stream().filter(span -> span.getName().equals(name)).toList();
    }

    static String hex(ByteString id) {
        return HexFormat.of().formatHex(id.toByteArray());
    }

    static String attribute(List<KeyValue> attributes, String name) {
        return attributes.stream().filter(each -> each.getKey().equals(name)).findFirst()
                .map(each -> each.getValue().hasIntValue()
                        ? Long.toString(each.getValue().getIntValue())
                        : each.getValue().getStringValue())
                .orElse("");
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange; InputStream body = new GZIPInputStream(exchange.getRequestBody())) {
            byte[] bytes = body.readAllBytes();
            if (refusals.getAndDecrement() > 0) {
                exchange.sendResponseHeaders(503, -1);
                return;
            }
            keys.add(String.valueOf(exchange.getRequestHeaders().getFirst("Api-Key")));
            resources.addAll(ExportTraceServiceRequest.parseFrom(bytes).getResourceSpansList());
            byte[] answer = ExportTraceServiceResponse.getDefaultInstance().toByteArray();
            exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, answer.length == 0 ? -1 : answer.length);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}

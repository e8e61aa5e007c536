package dev.orderly.http.client;

import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.ClientKeys;
import dev.orderly.http.listener.Clients;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.listener.HttpListener;
import dev.orderly.http.stream.Streamed;
import dev.orderly.http.stream.StreamedExchange;
import dev.orderly.testkit.server.FreePort;
import dev.orderly.web.client.ClientScriptHandler;
import dev.orderly.web.edge.EdgeHandler;
import dev.orderly.web.edge.TrustedProxies;
import dev.orderly.web.message.EventStream;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.message.Response;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.route.RequestRouter;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** The client's script on a real listener; the test decides every answer below {@code /.orderly}. */
final class ScriptedEdge implements AutoCloseable {
    private static final String PAGE = """
            <!DOCTYPE html><html lang="en"><title>client</title><script type="module">
            import * as orderly from '/.orderly/client.js';
            window.log = [];
            window.note = kind => x => log.push(kind + ' ' + (x instanceof ArrayBuffer
              ? [...new Uint8Array(x)] : JSON.stringify(x)));
            window.orderly = orderly;
            </script>""";

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<EventStream> streams = new CopyOnWriteArrayList<>();
    private final List<ServerWebSocket> sockets = new CopyOnWriteArrayList<>();
    private final List<String> received = new CopyOnWriteArrayList<>();
    private final Map<String, Function<RequestHead, RequestRouter.Match>> script = new ConcurrentHashMap<>();
    private volatile HttpListener listener;
    private volatile boolean cookies = true;
    private final int port;

    ScriptedEdge() {
        listener = listen(FreePort.find());
        port = listener.port();
    }

    private HttpListener listen(int at) {
        HttpListener made = new HttpListener("test", BindAddress.loopback(at),
                HttpLimits.DEFAULT.withStop(Duration.ofMillis(100)), Clients.by(ClientKeys.PEERS),
                _ -> EdgeHandler.inOrder(TrustedProxies.NONE,
                        List.of(new ClientScriptHandler(), (request, _) -> match(request.head()))));
        made.start();
        return made;
    }

    /** Stops listening, as the server does; open connections are cut. */
    void stop() {
        sockets.forEach(socket -> socket.close((short) 1001));
        listener.close();
        streams.clear();
        sockets.clear();
    }

    /** Listens again, at the same port. */
    void startAgain() {
        listener = listen(port);
    }

    /** Makes WebSockets require a token. */
    void withoutCookies() {
        cookies = false;
    }

    String address() {
        return "http://127.0.0.1:" + port + "/";
    }

    /** Sets the answer of a path. By default streams are opened and other requests are 404. */
    void at(String path, Function<RequestHead, RequestRouter.Match> answer) {
        script.put(path, answer);
    }

    static RequestRouter.Match problem(ProblemType type, String text) {
        return new RequestRouter.Match.Immediate(Response.problem(new Problem(type, text), "/"));
    }

    static RequestRouter.Match json(String json) {
        return new RequestRouter.Match.Immediate(Response.json(200, json.getBytes(StandardCharsets.UTF_8)));
    }

    static boolean wantsStream(RequestHead head) {
        return "text/event-stream".equals(head.header("Accept"));
    }

    RequestRouter.Match stream() {
        return new RequestRouter.Match.Opened(List.of(), stream -> {
            stream.write(": hello\n\n".getBytes(StandardCharsets.UTF_8));
            streams.add(stream);
        });
    }

    /** Sends to all streams. */
    void event(String name, String data) {
        byte[] event = ("event: " + name + "\nid: 1\ndata: " + data + "\n\n").getBytes(StandardCharsets.UTF_8);
        streams.forEach(stream -> stream.write(event));
    }

    /** Paths of the requests so far without the page's own, each with its bearer token if it had one. */
    List<String> requests() {
        return requests;
    }

    List<EventStream> streams() {
        return streams;
    }

    List<ServerWebSocket> sockets() {
        return sockets;
    }

    /** Messages received on WebSockets; bytes as {@code #} and their count. */
    List<String> received() {
        return received;
    }

    /** Sends to all WebSockets. */
    void say(String text) {
        sockets.forEach(socket -> socket.writeTextMessage(text));
    }

    void sayBytes(int... values) {
        Buffer bytes = Buffer.buffer();
        for (int value : values) {
            bytes.appendByte((byte) value);
        }
        sockets.forEach(socket -> socket.writeBinaryMessage(bytes));
    }

    private RequestRouter.Match match(RequestHead head) {
        if (head.path().equals("/")) {
            return new RequestRouter.Match.Immediate(Response.of(200, "text/html; charset=utf-8",
                    PAGE.getBytes(StandardCharsets.UTF_8)));
        }
        String bearer = head.header("Authorization");
        if (!head.path().equals("/favicon.ico")) {
            requests.add(head.path() + (bearer == null ? "" : " " + bearer));
        }
        if (head.path().equals("/.orderly/live")) {
            return new Streamed(this::upgrade, head);
        }
        Function<RequestHead, RequestRouter.Match> answer = script.get(head.path());
        if (answer != null) {
            return answer.apply(head);
        }
        return wantsStream(head) ? stream() : problem(ProblemType.UNKNOWN_PATH, "There is nothing");
    }

    private void upgrade(StreamedExchange exchange) {
        exchange.request().resume();
        exchange.request().toWebSocket().onSuccess(socket -> {
            exchange.upgraded();
            socket.textMessageHandler(received::add);
            socket.binaryMessageHandler(bytes -> received.add("#" + bytes.length()));
            socket.closeHandler(_ -> sockets.remove(socket));
            if (cookies) {
                socket.writeTextMessage("{\"orderly\":\"ready\"}");
            }
            sockets.add(socket);
        });
    }

    @Override
    public void close() {
        listener.close();
    }
}

package dev.orderly.testkit.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.BasicAuthenticator;
import com.sun.net.httpserver.HttpServer;
import dev.orderly.Orderly;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.schedule.Timing;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.user.UserId;
import dev.orderly.user.UserScope;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.Principal;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The examples of docs/java.md: a job pushed in the scope of a signed-in user belongs to that user. */
class PushFromRequestTest {
    private final Orderly orderly = Orderly.open(new MemoryStore());
    private final FifoQueue<String> profiles = orderly.fifo("profiles.fifo", String.class);

    @AfterEach
    void close() {
        orderly.close();
    }

    private static final class SaveProfile extends HttpServlet {
        private final transient FifoQueue<String> profiles;

        SaveProfile(FifoQueue<String> profiles) {
            this.profiles = profiles;
        }

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String user = request.getUserPrincipal().getName();
            String profile = request.getReader().readAllAsString();
            JobId id = UserScope.call(new UserId(user), () -> profiles.group(user).push(profile));
            response.setHeader("Location", "/.orderly/jobs/" + id);
            response.setStatus(202);
        }
    }

    @Test
    void aServletPushesForItsUser() throws Exception {
        List<Object> answered = new ArrayList<>();
        Principal ada = () -> "ada";
        HttpServletRequest request = standIn(HttpServletRequest.class, (method, _) -> switch (method) {
            case "getUserPrincipal" -> ada;
            case "getReader" -> new BufferedReader(new StringReader("servlet"));
            default -> throw new UnsupportedOperationException(method);
        });
        HttpServletResponse response = standIn(HttpServletResponse.class, (_, args) -> {
            answered.addAll(List.of(args));
            return args;
        });
        new SaveProfile(profiles).doPost(request, response);
        JobView job = pushed().getFirst();
        assertThat(job.user()).isEqualTo(new UserId("ada"));
        assertThat(answered).containsExactly("Location", "/.orderly/jobs/" + job.id(), 202);
    }

    @Test
    void theServerOfTheJdkPushesForItsUser() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/profile", exchange -> {
            String user = exchange.getPrincipal().getUsername();
            String profile = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            JobId id = UserScope.call(new UserId(user), () -> profiles.group(user).push(profile));
            exchange.getResponseHeaders().set("Location", "/.orderly/jobs/" + id);
            exchange.sendResponseHeaders(202, -1);
            exchange.close();
        }).setAuthenticator(new BasicAuthenticator("test") {
            @Override
            public boolean checkCredentials(String name, String password) {
                return password.equals("secret");
            }
        });
        server.start();
        try (HttpClient client = HttpClient.newHttpClient()) {
            var answer = client.send(HttpRequest
                    .newBuilder(URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/profile"))
                    .header("Authorization",
                            "Basic " + Base64.getEncoder().encodeToString("ada:secret".getBytes(UTF_8)))
                    .POST(BodyPublishers.ofString("jdk")).build(), BodyHandlers.discarding());
            assertThat(answer.statusCode()).isEqualTo(202);
            assertThat(pushed()).singleElement().satisfies(job -> assertThat(job.user()).isEqualTo(new UserId("ada")));
        } finally {
            server.stop(0);
        }
    }

    @Test
    void aScheduledHandlerPushesForManyUsers() {
        List<String> subscribers = List.of("ada", "bob");
        orderly.schedule("remind", Timing.parse("every second"), _ -> {
            for (String user : subscribers) {
                UserScope.run(new UserId(user), () -> profiles.group(user).dedupe("remind").push("remind"));
            }
        });
        orderly.start();
        Awaitility.await().untilAsserted(
                () -> assertThat(pushed().stream().map(JobView::user)).containsExactly(new UserId("ada"),
                        new UserId("bob")));
    }

    private List<JobView> pushed() {
        return orderly.jobs().list(profiles.name(), JobState.WAITING, null, 10);
    }

    /** A stand-in for an object of the servlet container, with the methods that the servlet calls. */
    private static <T> T standIn(Class<T> type, Answers answers) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type}, (_, method, args) -> {
            Object answer = answers.to(method.getName(), args == null ? new Object[0] : args);
            return method.getReturnType() == void.class ? null : answer;
        }));
    }

    @FunctionalInterface
    private interface Answers {
        Object to(String method, Object[] args);
    }
}

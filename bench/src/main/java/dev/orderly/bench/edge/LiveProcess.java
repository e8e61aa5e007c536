package dev.orderly.bench.edge;

import dev.orderly.Orderly;
import dev.orderly.http.EdgeHandlers;
import dev.orderly.http.EdgeServer;
import dev.orderly.http.Routes;
import dev.orderly.http.gateway.Gateway;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.live.SocketUpgrade;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.live.LiveOptions;
import dev.orderly.live.Message;
import dev.orderly.live.Users;
import dev.orderly.store.sqlite.SqliteStore;
import dev.orderly.time.Time;
import dev.orderly.user.UserId;
import dev.orderly.web.live.LiveAccess;
import dev.orderly.web.live.LiveHandler;
import dev.orderly.web.live.LiveTimes;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.user.Authentication;
import dev.orderly.web.user.Authenticator;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The measured process: an edge with live connections, which accepts any user name as a bearer token. It prints its
 * port, then answers lines on its input: {@code heap} with the bytes of live heap, {@code say} by sending one message
 * to every user. The end of the input ends it.
 */
final class LiveProcess {
    static final int USERS = 5_000;
    static final String MESSAGE = "{\"status\":\"shipped\"}";

    private static final int CONNECTIONS = 20_000;

    private LiveProcess() {}

    /** Argument: a folder. */
    public static void main(String[] args) throws IOException {
        HttpLimits limits = HttpLimits.DEFAULT.withCapacity(new HttpLimits.Capacity(CONNECTIONS, 4_096, 128L << 20,
                16 << 10, 8 << 10));
        LiveOptions options = LiveOptions.DEFAULT.withConnectionsPerAddress(CONNECTIONS);
        LiveTimes quiet = new LiveTimes(Duration.ofSeconds(10), Duration.ofHours(1), Duration.ofHours(2));
        try (Orderly orderly = Orderly.open(SqliteStore.at(Path.of(args[0], "live.db")), EngineOptions.defaults(),
                options);
                LiveHandler door = new LiveHandler(orderly.engines().live(), LiveAccess.of(new Believing()), quiet,
                        Time.system(), SocketUpgrade::of);
                EdgeServer edge = new EdgeServer(BindAddress.loopback(0),
                        Routes.of(List.of(), orderly.engines().jobs()), limits,
                        Gateway.NONE, EdgeHandlers.NONE.withLive(door))) {
            door.start();
            edge.start();
            System.out.println("port " + edge.port());
            serve(orderly.users());
        }
    }

    private static void serve(Users users) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.equals("heap")) {
                System.gc();
                System.gc();
                System.out.println("heap " + ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
            } else if (line.equals("say")) {
                for (int from = 0; from < USERS; from += Users.RECEIVERS_MAX) {
                    int first = from;
                    users.to(IntStream.range(0, Users.RECEIVERS_MAX).mapToObj(n -> new UserId("user" + (first + n)))
                            .toList())
                            .send(new Message.Json(MESSAGE.getBytes(StandardCharsets.UTF_8)));
                }
                System.out.println("say 1");
            }
        }
    }

    private static final class Believing implements Authenticator {
        @Override
        public Authentication of(RequestHead head) {
            return verify(String.valueOf(head.headers().get("Authorization")).replace("Bearer ", ""));
        }

        @Override
        public Authentication verify(String token) {
            return new Authentication.Known(new UserId(token), Time.system().now().plus(Duration.ofDays(1)));
        }
    }
}

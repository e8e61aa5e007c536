package dev.orderly.bench.edge;

import dev.orderly.Orderly;
import dev.orderly.access.TokenSecret;
import dev.orderly.access.control.AccessControl;
import dev.orderly.access.control.AccessOptions;
import dev.orderly.access.control.LocalCredential;
import dev.orderly.dashboard.Dashboard;
import dev.orderly.http.ApiServer;
import dev.orderly.http.access.AccessPolicy;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.job.StandardQueue;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.store.GateId;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.TokenKeys;
import dev.orderly.server.DashboardMount;
import dev.orderly.store.sqlite.SqliteStore;
import dev.orderly.time.Time;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The measured process: queues that get and do {@value #PER_SECOND} jobs a second, and the dashboard. It prints its
 * port. The end of the input ends it.
 */
final class DashboardProcess {
    static final int QUEUES = 8;
    static final int PER_SECOND = 1_000;
    static final TokenSecret TOKEN = TokenSecret.of(new byte[32]);
    private static final int CALL = 10;

    private DashboardProcess() {}

    /** Argument: a folder. */
    public static void main(String[] args) throws IOException {
        SqliteStore store = SqliteStore.at(Path.of(args[0], "dashboard.db"));
        Time time = Time.system();
        try (Orderly orderly = Orderly.open(store);
                AccessControl access = new AccessControl(store.credentials(), store.audit(), time,
                        AccessOptions.DEFAULT, LocalCredential.of(List.of(TOKEN)));
                RoomEngine rooms = new RoomEngine(store.rooms(), new RoomTokens(TokenKeys.of(List.of(new byte[32]))),
                        new GateId("bench"), time, new SecureRandom());
                Dashboard dashboard = new Dashboard(new Dashboard.Mount("", null),
                        new Dashboard.Sources(orderly, rooms, access.audit()), time);
                ApiServer api = new ApiServer(
                        new ApiServer.Access(AccessPolicy.loopback(BindAddress.loopback(0)), HttpLimits.DEFAULT,
                                access),
                        orderly, rooms, ApiServer.Management.of(orderly, new DashboardMount(dashboard).pages()))) {
            List<StandardQueue<String>> queues = new ArrayList<>();
            for (int i = 0; i < QUEUES; i++) {
                StandardQueue<String> queue = orderly.queue("queue" + i, String.class);
                orderly.handle(queue, (_, _) -> {});
                queues.add(queue);
            }
            orderly.start();
            api.start();
            Thread.ofPlatform().daemon().name("pusher").start(() -> push(queues, time));
            System.out.println("port " + api.port());
            while (System.in.read() >= 0) {
                // until the end
            }
        }
    }

    private static void push(List<StandardQueue<String>> queues, Time time) {
        List<String> some = IntStream.range(0, CALL).mapToObj(n -> "job " + n).toList();
        Duration each = Duration.ofSeconds(1).multipliedBy(CALL).dividedBy(PER_SECOND);
        long due = time.nanos();
        for (int i = 0;; i++) {
            queues.get(i % QUEUES).pushAll(some);
            due += each.toNanos();
            while (!time.reached(due)) {
                time.park(due);
            }
        }
    }
}

package dev.orderly.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Orderly;
import dev.orderly.http.EdgeHandlers;
import dev.orderly.http.EdgeServer;
import dev.orderly.http.Routes;
import dev.orderly.http.gateway.Gateway;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.live.SocketUpgrade;
import dev.orderly.http.user.JwtAuthenticator;
import dev.orderly.http.user.TokenSource;
import dev.orderly.http.user.Tokens;
import dev.orderly.http.user.UserOptions;
import dev.orderly.http.user.job.UserJobHandler;
import dev.orderly.http.user.job.UserJobStreams;
import dev.orderly.job.Batch;
import dev.orderly.job.StandardQueue;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.time.Time;
import dev.orderly.user.UserId;
import dev.orderly.web.browser.Chromium;
import dev.orderly.web.browser.InChromium;
import dev.orderly.web.live.LiveAccess;
import dev.orderly.web.live.LiveHandler;
import dev.orderly.web.live.LiveTimes;
import dev.orderly.web.user.Authenticator;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The client against an edge with real jobs, connections and tokens. */
class RealEdgeInTheBrowserTest {
    private static final String NOTES = "import('/.orderly/client.js').then(m => { window.orderly = m; window.log = [];"
            + " window.note = kind => x => log.push(kind + ' ' + JSON.stringify(x)); return 0; })";

    private final Orderly orderly = Orderly.open(new MemoryStore());
    private final StandardQueue<String> queue = orderly.queue("letters", String.class);
    private final CountDownLatch go = new CountDownLatch(1);
    private final List<String> received = new CopyOnWriteArrayList<>();
    private final Authenticator users = JwtAuthenticator.of(UserOptions.of(new TokenSource.Secret(Tokens.SECRET)),
            Time.system());
    private final UserJobStreams streams = new UserJobStreams(orderly.engines().jobs(), Time.system(),
            UserJobStreams.LIMIT);
    private final LiveHandler door = new LiveHandler(orderly.engines().live(), LiveAccess.of(users), LiveTimes.DEFAULT,
            Time.system(), SocketUpgrade::of);
    private EdgeServer edge = edge(0);

    private EdgeServer edge(int port) {
        return new EdgeServer(BindAddress.loopback(port), Routes.of(List.of(), orderly.engines().jobs()),
                HttpLimits.DEFAULT.withStop(Duration.ofMillis(500)), Gateway.NONE,
                EdgeHandlers.NONE.withLive(door)
                        .withJobs(new UserJobHandler(orderly.engines().jobs(), users, streams)));
    }

    @BeforeEach
    void start() {
        orderly.handle(queue, (text, job) -> {
            assertThat(go.await(100, TimeUnit.SECONDS)).isTrue();
            job.progress(1, 2, "half");
            job.send(Map.of("status", "saving"));
            job.result(Map.of("said", text));
        });
        orderly.users().onMessage(message -> received.add(message.user() + ": " + message.text()));
        orderly.start();
        streams.start();
        door.start();
        edge.start();
    }

    @AfterEach
    void close() {
        edge.close();
        door.close();
        streams.close();
        orderly.close();
    }

    private static String token(String user) {
        return "'" + Tokens.of(user, Time.system().now().plus(Duration.ofHours(1))) + "'";
    }

    /** The script itself is the page: it has the right origin and no other content. */
    private void open(Chromium browser) {
        browser.open("http://127.0.0.1:" + edge.port() + "/.orderly/client.js");
        browser.eval(NOTES);
    }

    @Test
    void aUserReceivesMessagesOfAJobAndFollowsItToItsResultAndOtherUsersDoNot() throws IOException {
        try (Chromium browser = Chromium.start()) {
            open(browser);
            String id = queue.user(new UserId("ann")).push("hello").toString();
            ClientScenes.run(browser, "window.l = orderly.live({token: async () => " + token("ann")
                    + ", onMessage: note('message')})");
            ClientScenes.run(browser,
                    "orderly.followJob('" + id + "', j => note('job')(j.state), {token: " + token("ann")
                            + "}).ended.then(j => note('result')(j.result.json))");
            ClientScenes.run(browser, "orderly.followJob('" + id + "', note('stolen'), {token: " + token("bob")
                    + ", onError: t => note('bob')(t.code)})");
            InChromium.soon(() -> assertThat(ClientScenes.log(browser)).contains("job \"running\"",
                    "bob \"unknown-job\""));
            InChromium.soon(() -> assertThat(browser.eval("l.online")).isEqualTo(true));
            go.countDown();

            InChromium.soon(() -> assertThat(ClientScenes.log(browser)).contains("message {\"status\":\"saving\"}",
                    "job \"done\"", "result {\"said\":\"hello\"}").noneMatch(line -> line.startsWith("stolen")));
        }
    }

    @Test
    void theUserOfItsCallbackFollowsABatchToItsEndAndOtherUsersDoNot() throws IOException {
        try (Chromium browser = Chromium.start()) {
            open(browser);
            StandardQueue<String> reports = orderly.queue("reports", String.class);
            Batch batch = orderly.batch("import-42").user(new UserId("ann")).then(reports, "all");
            queue.in(batch).pushAll(List.of("a", "b"));
            ClientScenes.run(browser, "orderly.followBatch('import-42', b => note('batch')([b.state, b.unfinished]),"
                    + " {token: " + token("ann") + "}).ended.then(b => note('ended')([b.done, b.callback != null]))");
            ClientScenes.run(browser, "orderly.followBatch('import-42', note('stolen'), {token: " + token("bob")
                    + ", onError: t => note('bob')(t.code)})");
            InChromium.soon(() -> assertThat(ClientScenes.log(browser)).contains("batch [\"open\",2]",
                    "bob \"unknown-batch\""));
            batch.close();
            InChromium.soon(() -> assertThat(ClientScenes.log(browser)).contains("batch [\"closed\",2]"));
            go.countDown();

            InChromium.soon(() -> assertThat(ClientScenes.log(browser)).contains("batch [\"finished\",0]",
                    "ended [2,true]").noneMatch(line -> line.startsWith("stolen")));
        }
    }

    @Test
    void afterARestartAtTheSamePortPendingMessagesReachTheirHandler() throws IOException {
        try (Chromium browser = Chromium.start()) {
            open(browser);
            ClientScenes.run(browser, "window.l = orderly.live({token: " + token("ann") + ", onState: note('state')})");
            InChromium.soon(() -> assertThat(browser.eval("l.online")).isEqualTo(true));
            int port = edge.port();
            edge.close();
            InChromium.soon(() -> assertThat(ClientScenes.log(browser)).contains("state \"away\""));
            assertThat(browser.eval("[1, 2, 3].map(n => l.send('m' + n))")).isEqualTo(List.of(true, true, true));
            edge = edge(port);
            edge.start();

            InChromium.soon(() -> assertThat(received).containsExactly("ann: m1", "ann: m2", "ann: m3"));
        }
    }
}

package dev.orderly.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.web.browser.Chromium;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The promises of {@code live}. */
@Tag("slow")
class LiveInTheBrowserTest extends ClientScenes {
    private static void live(Chromium browser, String more) {
        run(browser, "window.l = orderly.live({onMessage: note('message'), onState: note('state'),"
                + " onError: note('error'), " + more + "})");
    }

    private static void online(Chromium browser) {
        soon(() -> assertThat(browser.eval("l.online")).isEqualTo(true));
    }

    @Test
    void jsonTextAndBytesReachEveryTab() throws Exception {
        play((browser, edge) -> {
            String first = browser.tab();
            live(browser, "");
            online(browser);
            String second = browser.newTab(edge.address());
            loaded(browser);
            live(browser, "");
            online(browser);

            edge.say("{\"status\":\"saving\"}");
            edge.say("hello {");
            edge.sayBytes(1, 2, 255);
            for (String tab : List.of(second, first)) {
                browser.useTab(tab);
                soon(() -> assertThat(log(browser)).containsExactly("state \"online\"",
                        "message {\"status\":\"saving\"}", "message \"hello {\"", "message 1,2,255"));
            }
            browser.useTab(second);
            browser.closeTab(first);
        });
    }

    @Test
    void theTokenIsTheFirstMessageAndMessagesBeforeReadyWait() throws Exception {
        play((browser, edge) -> {
            edge.withoutCookies();
            live(browser, "token: async () => 'secret'");
            run(browser, "l.send({n: 1}), l.send('two'), l.send(new Uint8Array([1, 2, 3]))");
            soon(() -> assertThat(edge.received()).containsExactly("{\"token\":\"secret\"}"));
            assertThat(browser.eval("l.online")).isEqualTo(false);

            edge.say("{\"orderly\":\"ready\"}");
            soon(() -> assertThat(edge.received()).containsExactly("{\"token\":\"secret\"}", "{\"n\":1}", "two", "#3"));
            edge.say("{\"orderly\":\"something new\"}");
            edge.say("{\"error\":\"Nobody takes this\"}");
            soon(() -> assertThat(log(browser)).containsExactly("state \"online\"",
                    "error {\"code\":\"message\",\"text\":\"Nobody takes this\",\"final\":false}"));
        });
    }

    @Test
    void afterARestartPendingMessagesArriveInOrder() throws Exception {
        play((browser, edge) -> {
            live(browser, "");
            online(browser);
            edge.stop();
            soon(() -> assertThat(log(browser)).contains("state \"away\""));
            assertThat(browser.eval("[1, 2, 3].map(n => l.send({n}))")).isEqualTo(List.of(true, true, true));

            edge.startAgain();
            soon(() -> assertThat(edge.received()).containsExactly("{\"n\":1}", "{\"n\":2}", "{\"n\":3}"));
            edge.say("{\"again\":true}");
            soon(() -> assertThat(log(browser)).endsWith("state \"online\"", "message {\"again\":true}"));
        });
    }

    @Test
    void theOutboxAndAMessageAreBounded() throws Exception {
        play((browser, edge) -> {
            edge.stop();
            live(browser, "outbox: 2");
            assertThat(browser.eval("[1, 2, 3].map(n => l.send({n}))")).isEqualTo(List.of(true, true, false));
            edge.startAgain();
            soon(() -> assertThat(edge.received()).containsExactly("{\"n\":1}", "{\"n\":2}"));

            assertThat(browser.eval("['ä'.repeat(32768), 'ä'.repeat(32769), new ArrayBuffer(65537)].map(l.send)"))
                    .isEqualTo(List.of(true, false, false));
            soon(() -> assertThat(edge.received()).hasSize(3));
        });
    }

    @Test
    void aRefusedTokenIsNotSentAgain() throws Exception {
        play((browser, edge) -> {
            edge.withoutCookies();
            live(browser, "token: 'old'");
            soon(() -> assertThat(edge.received()).hasSize(1));
            edge.sockets().getFirst().close((short) 4401, "Expired");

            soon(() -> assertThat(log(browser)).containsExactly("state \"away\"",
                    "error {\"code\":\"unauthenticated\",\"text\":\"Expired\",\"final\":true}", "state \"closed\""));
            assertThat(browser.eval("l.send('late')")).isEqualTo(false);
            stays(() -> assertThat(edge.requests()).hasSize(1));
        });
    }

    @Test
    void anInvalidCookieEndsTheConnectionAndAnExpiredCookieIsTriedOnceMore() throws Exception {
        play((browser, edge) -> {
            live(browser, "");
            online(browser);
            edge.withoutCookies();
            edge.sockets().getFirst().close((short) 4401, "Expired");
            soon(() -> assertThat(edge.requests()).hasSize(2));
            soon(() -> assertThat(edge.sockets()).hasSize(1));
            assertThat(browser.eval("l.online")).isEqualTo(false);
            edge.sockets().getFirst().close((short) 4401, "No token came in time");

            soon(() -> assertThat(log(browser)).endsWith(
                    "error {\"code\":\"unauthenticated\",\"text\":\"No token came in time\",\"final\":true}",
                    "state \"closed\""));
            stays(() -> assertThat(edge.requests()).hasSize(2));
        });
    }

    @Test
    void anExpiredTokenIsReplaced() throws Exception {
        play((browser, edge) -> {
            edge.withoutCookies();
            run(browser, "window.all = ['old', 'new', 'new']");
            live(browser, "token: () => all.shift()");
            soon(() -> assertThat(edge.received()).containsExactly("{\"token\":\"old\"}"));
            edge.say("{\"orderly\":\"ready\"}");
            online(browser);
            edge.sockets().getFirst().close((short) 4401, "Expired");
            soon(() -> assertThat(edge.received()).containsExactly("{\"token\":\"old\"}", "{\"token\":\"new\"}"));
            edge.sockets().getFirst().close((short) 4401, "Expired");

            soon(() -> assertThat(log(browser)).last().isEqualTo("state \"closed\""));
            assertThat(edge.requests()).hasSize(2);
        });
    }

    @Test
    void aReturningNetworkEndsTheBackoff() throws Exception {
        play((browser, edge) -> {
            // Pauses between tries, 1 to 30 seconds, that never end; its deadlines of 15 seconds do.
            run(browser, "window.timers = setTimeout, setTimeout = (f, ms, ...rest) => "
                    + "ms >= 1000 && ms !== 15_000 ? 0 : timers(f, ms, ...rest)");
            live(browser, "");
            online(browser);
            edge.stop();
            soon(() -> assertThat(log(browser)).filteredOn(line -> line.startsWith("error")).hasSize(1));
            edge.startAgain();
            run(browser, "dispatchEvent(new Event('online'))");
            online(browser);

            run(browser, "dispatchEvent(new Event('offline'))");
            soon(() -> assertThat(log(browser)).filteredOn("state \"away\""::equals).hasSize(2));
            run(browser, "dispatchEvent(new Event('online'))");
            online(browser);
        });
    }

    @Test
    void closingByClientOrServerIsFinal() throws Exception {
        play((browser, edge) -> {
            live(browser, "");
            online(browser);
            run(browser, "l.close()");
            edge.say("{\"late\":true}");
            soon(() -> assertThat(edge.sockets()).isEmpty());
            live(browser, "");
            online(browser);
            edge.sockets().getFirst().close((short) 1000, "Bye");

            soon(() -> assertThat(log(browser)).last().isEqualTo("state \"closed\""));
            stays(() -> {
                assertThat(edge.requests()).hasSize(2);
                assertThat(log(browser)).containsExactly("state \"online\"", "state \"closed\"", "state \"online\"",
                        "state \"closed\"");
            });
        });
    }
}

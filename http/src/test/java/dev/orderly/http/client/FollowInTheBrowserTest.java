package dev.orderly.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.web.message.EventStream;
import dev.orderly.web.problem.ProblemType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The promises of {@code followJob} and {@code followRoom}. */
@Tag("slow")
class FollowInTheBrowserTest extends ClientScenes {
    private static final String JOB = "/.orderly/jobs/j1";
    private static final String FOLLOW = "window.f = orderly.followJob('j1', note('job'), {onError: note('error')}),"
            + " f.ended.then(note('ended'), note('given up'))";

    private static String job(String state) {
        return "{\"id\":\"j1\",\"state\":\"" + state + "\",\"ended\":" + state.equals("done") + "}";
    }

    @Test
    void aJobIsFollowedToItsEndWithoutFurtherRequests() throws Exception {
        play((browser, edge) -> {
            run(browser, FOLLOW);
            soon(() -> assertThat(edge.streams()).hasSize(1));
            edge.event("job", job("waiting"));
            edge.event("job", job("running"));
            edge.event("job", job("done"));

            soon(() -> assertThat(log(browser)).containsExactly("job " + job("waiting"), "job " + job("running"),
                    "job " + job("done"), "ended " + job("done")));
            soon(() -> assertThat(edge.streams()).noneMatch(EventStream::isOpen));
            stays(() -> assertThat(edge.requests()).containsExactly(JOB));
        });
    }

    @Test
    void anUnknownJobIsAFinalErrorWithCodeAndText() throws Exception {
        play((browser, edge) -> {
            edge.at(JOB, _ -> ScriptedEdge.problem(ProblemType.UNKNOWN_JOB, "There is no job j1"));
            run(browser, FOLLOW);

            String error = " {\"code\":\"unknown-job\",\"text\":\"There is no job j1\",\"final\":true}";
            soon(() -> assertThat(log(browser)).containsExactly("error" + error, "given up" + error));
            stays(() -> assertThat(edge.requests()).containsExactly(JOB));
        });
    }

    @Test
    void aStreamThatWasCutIsResumedEvenAfterARestart() throws Exception {
        play((browser, edge) -> {
            run(browser, FOLLOW);
            soon(() -> assertThat(edge.streams()).hasSize(1));
            edge.event("job", job("waiting"));
            soon(() -> assertThat(log(browser)).hasSize(1));

            edge.streams().getFirst().close();
            soon(() -> assertThat(edge.streams()).hasSize(2));
            edge.event("job", job("running"));
            soon(() -> assertThat(log(browser)).containsExactly("job " + job("waiting"), "job " + job("running")));

            edge.stop();
            soon(() -> assertThat(log(browser).getLast()).startsWith("error {\"code\":\"away\"")
                    .endsWith("\"final\":false}"));
            edge.startAgain();
            soon(() -> assertThat(edge.streams()).hasSize(1));
            edge.event("job", job("done"));
            soon(() -> assertThat(log(browser)).endsWith("job " + job("done"), "ended " + job("done")));
        });
    }

    @Test
    void withoutEventsTheClientPolls() throws Exception {
        play((browser, edge) -> {
            edge.at(JOB, head -> {
                if (!ScriptedEdge.wantsStream(head)) {
                    return ScriptedEdge.json(job("done"));
                }
                edge.streams().forEach(EventStream::close);
                return edge.stream();
            });
            run(browser, FOLLOW);
            soon(() -> assertThat(edge.streams()).hasSize(1));
            edge.streams().getFirst().close();
            soon(() -> assertThat(edge.streams()).hasSize(2));
            edge.streams().getLast().close();

            soon(() -> assertThat(log(browser)).containsExactly("job " + job("done"), "ended " + job("done")));
        });
    }

    @Test
    void aTokenIsSentWithEveryRequestAndARefusedTokenIsNotSentAgain() throws Exception {
        play((browser, edge) -> {
            edge.at(JOB, head -> "Bearer new".equals(head.header("Authorization"))
                    ? edge.stream()
                    : ScriptedEdge.problem(ProblemType.UNAUTHENTICATED, "Expired"));
            run(browser, "window.all = ['old', 'new'], orderly.followJob('j1', note('job'),"
                    + " {token: async () => all.shift(), onError: note('error')})");

            soon(() -> assertThat(edge.streams()).hasSize(1));
            assertThat(edge.requests()).containsExactly(JOB + " Bearer old", JOB + " Bearer new");

            run(browser, "orderly.followJob('j1', note('job'), {token: 'old', onError: note('given up')})");
            soon(() -> assertThat(log(browser)).contains(
                    "given up {\"code\":\"unauthenticated\",\"text\":\"Expired\",\"final\":true}"));
        });
    }

    @Test
    void aPlaceIsFollowedUntilTheTurn() throws Exception {
        play((browser, edge) -> {
            run(browser, "orderly.followRoom('sale', note('place')).ended.then(note('ended'))");
            soon(() -> assertThat(edge.streams()).hasSize(1));
            edge.event("place", "{\"state\":\"waiting\",\"ahead\":2}");
            edge.event("place", "{\"state\":\"waiting\",\"ahead\":1}");
            edge.event("turn", "{}");

            soon(() -> assertThat(log(browser)).containsExactly("place {\"state\":\"waiting\",\"ahead\":2}",
                    "place {\"state\":\"waiting\",\"ahead\":1}", "place {\"state\":\"turn\"}",
                    "ended {\"state\":\"turn\"}"));
            assertThat(edge.requests()).containsExactly("/.orderly/rooms/sale/events");
        });
    }

    @Test
    void aRevokedTicketIsVoidAndAMissingTicketIsAnError() throws Exception {
        play((browser, edge) -> {
            edge.at("/.orderly/rooms/sale/events", _ -> new dev.orderly.web.route.RequestRouter.Match.Immediate(
                    dev.orderly.web.message.Response.empty(204)));
            edge.at("/.orderly/rooms/sale/ticket", _ -> ScriptedEdge.problem(ProblemType.TICKET_GONE, "Used up"));
            run(browser, "orderly.followRoom('sale', note('place'))");
            soon(() -> assertThat(log(browser)).containsExactly("place {\"state\":\"void\"}"));

            edge.at("/.orderly/rooms/sale/ticket", _ -> ScriptedEdge.problem(ProblemType.NO_TICKET, "None"));
            run(browser, "orderly.followRoom('sale', note('place'), {onError: note('error')})");
            soon(() -> assertThat(log(browser)).last().asString().contains("no-ticket", "\"final\":true"));
        });
    }

    @Test
    void afterCloseNothingIsReported() throws Exception {
        play((browser, edge) -> {
            run(browser, FOLLOW);
            soon(() -> assertThat(edge.streams()).hasSize(1));
            run(browser, "f.close()");
            edge.event("job", job("waiting"));

            soon(() -> assertThat(edge.streams()).noneMatch(EventStream::isOpen));
            stays(() -> {
                assertThat(log(browser)).singleElement().asString().startsWith("given up {\"code\":\"closed\"");
                assertThat(edge.requests()).containsExactly(JOB);
            });
        });
    }
}

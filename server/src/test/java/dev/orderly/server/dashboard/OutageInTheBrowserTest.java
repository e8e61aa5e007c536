package dev.orderly.server.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.testkit.server.FaultProxy;
import dev.orderly.testkit.server.PostgresServer;
import dev.orderly.testkit.server.RedisNode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The pages in a real browser, while the store of the rooms, or that of the jobs, is away. */
class OutageInTheBrowserTest extends DashboardScenes {
    private final PostgresServer postgres = PostgresServer.start("fsync=off");
    private final RedisNode redis = RedisNode.start();
    private final FaultProxy jobs = new FaultProxy(postgres.port());
    private final FaultProxy rooms = new FaultProxy(redis.port());

    @Override
    String store() {
        return "{ jobs: \"postgres://postgres@127.0.0.1:%d/postgres\", rooms: \"%s\" }".formatted(jobs.port(),
                redis.urlOver(rooms.port()));
    }

    @Override
    String config() {
        return """
                queues: { mails: {} }
                rooms: { sale: { match: [/sale/**], capacity: 10, rate: 5 per 15s } }
                """;
    }

    @AfterEach
    void heal() {
        jobs.pass();
        rooms.pass();
    }

    @AfterAll
    void stopStores() {
        jobs.close();
        rooms.close();
        redis.close();
        postgres.close();
    }

    @Test
    void aStoreOfRoomsThatIsAwayIsSaidOnTheOpenPageAndItsFiguresSaySinceWhenTheyAreOld() throws Exception {
        open("/");
        assertThat(browser().text("#stores")).isEmpty();
        rooms.refuse();
        soon(() -> assertThat(browser().text("#stores")).contains("The store of rooms does not answer", "since 20"));
        soon(() -> assertThat(browser().text("#attention")).contains("sale lets nobody new in"));
        soon(() -> assertThat(browser().text("#rooms")).contains("as of ", "unknown"));
        inspect("/");
        inspect("/rooms/sale");
        assertThat(browser().text("#rule")).contains("nobody new enters until it is back");
        open("/");
        rooms.pass();
        soon(() -> assertThat(browser().text("#stores")).isEmpty());
        soon(() -> assertThat(browser().text("#rooms")).doesNotContain("as of "));
    }

    @Test
    void roomsAreOperatedFromTheirPageWhileTheStoreOfJobsIsAway() throws Exception {
        open("/queues");
        jobs.refuse();
        soon(() -> assertThat(browser().text("#stores")).contains("The store of jobs does not answer"));
        soon(() -> assertThat(browser().text("#pulse")).doesNotContain("Live"));
        inspect("/");
        assertThat(browser().text("main")).contains("Queues and schedules cannot be read", "sale");
        inspect("/queues");
        assertThat(browser().text("#stores")).contains("The store of jobs does not answer");
        inspect("/rooms/sale");
        press("mode");
        browser().eval("document.querySelector('#mode input[value=hold]').checked = true");
        browser().find("#mode .primary").click();
        soon(() -> assertThat(browser().text("#state")).contains("hold"));
        open("/");
        jobs.pass();
        soon(() -> assertThat(browser().text("#stores")).isEmpty());
        soon(() -> assertThat(browser().text("#queues")).contains("mails"));
    }
}

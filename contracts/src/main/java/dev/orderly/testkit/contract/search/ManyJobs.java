package dev.orderly.testkit.contract.search;

import static dev.orderly.testkit.contract.search.SearchTrial.MAIL;
import static dev.orderly.testkit.contract.search.SearchTrial.NEWS;
import static dev.orderly.testkit.contract.search.SearchTrial.ORDERS;

import dev.orderly.Store;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.NewJob;
import dev.orderly.testkit.ManualTime;
import dev.orderly.user.UserId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The jobs of a large store: {@code mail} with one deep queue, {@code orders.fifo} with one deep group, {@code news}.
 */
public final class ManyJobs {
    private static final int CALL = 1_000;
    private static final List<String> ERRORS = List.of("No mailbox %d", "Refused by 'host%d'", "Timed out");

    private ManyJobs() {}

    /** Five eighths wait in a standard queue, a quarter in groups, an eighth are dead letters of three errors. */
    public static void fill(Store store, ManualTime time, int jobs) {
        SearchTrial trial = new SearchTrial(store, time);
        trial.pushAll(List.of(SearchTrial.job(NEWS)));
        for (int from = 0; from < jobs / 8; from += CALL) {
            trial.pushAll(mails(MAIL));
            List<ClaimedJob> claimed = trial.claim(MAIL, CALL);
            List<AttemptOutcome> ends = new ArrayList<>();
            for (int n = 0; n < claimed.size(); n++) {
                ends.add(SearchTrial.died(ERRORS.get(n % ERRORS.size()).formatted(n), false));
            }
            trial.settleAll(claimed, ends);
        }
        for (int from = 0; from < jobs / 8 * 5; from += CALL) {
            trial.pushAll(mails(MAIL));
        }
        for (int from = 0; from < jobs / 4; from += CALL) {
            List<NewJob> some = new ArrayList<>();
            for (int n = 0; n < CALL; n++) {
                some.add(SearchTrial.job(ORDERS, n % 10 == 0 ? "large" : "g" + (from + n)));
            }
            trial.pushAll(some);
        }
    }

    private static List<NewJob> mails(QueueName queue) {
        List<NewJob> some = new ArrayList<>();
        for (int n = 0; n < CALL; n++) {
            some.add(SearchTrial.from(SearchTrial.job(queue), new UserId("user" + n),
                    Map.of("order", Integer.toString(n))));
        }
        return some;
    }
}

package dev.orderly.testkit.contract.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.Limit;
import dev.orderly.job.store.StartWindow;
import java.util.List;

/** The rate of a limit, held against the moments of its claims. */
final class StartRate {
    private StartRate() {}

    /**
     * Checks that no span has more claims than the rate allows, and that three quarters of the rate are used.
     *
     * @param claims in milliseconds, in ascending order
     */
    static void holds(String what, Limit limit, List<Long> claims) {
        long span = StartWindow.span(limit);
        assertThat(claims).as(what).allSatisfy(from -> assertThat(
                claims.stream().filter(at -> at >= from && at < from + span).count())
                .as("claims of %s from %s on", what, from).isLessThanOrEqualTo(limit.starts()));
        long last = claims.getLast() - claims.getFirst();
        assertThat(claims.size()).as("the rate of %s is used", what)
                .isGreaterThan((int) (last / span) * limit.starts() * 3 / 4);
    }
}

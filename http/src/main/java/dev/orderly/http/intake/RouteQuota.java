package dev.orderly.http.intake;

import dev.orderly.flow.RateLimiter;
import dev.orderly.room.Rate;
import dev.orderly.time.Time;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.problem.Problems;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The use of a route by each address and each user on this node, checked against {@link Route.Limits}. Thread-safe. */
final class RouteQuota {
    private final Route.Limits limits;
    private final @Nullable RateLimiter<String> users;
    private final @Nullable RateLimiter<String> addresses;

    RouteQuota(Route.Limits limits, Time time) {
        this.limits = limits;
        this.users = limiter(limits.perUser(), time);
        this.addresses = limiter(limits.perAddress(), time);
    }

    private static @Nullable RateLimiter<String> limiter(@Nullable Rate rate, Time time) {
        return rate == null ? null : new RateLimiter<>(time, rate.admissions(), rate.period());
    }

    /**
     * Counts a request of an address, before its body is read.
     *
     * @throws ProblemException 429 beyond the limit
     */
    void countAddress(Supplier<String> address) {
        if (addresses != null) {
            refuse(addresses.refuse(address.get()), "address", limits.perAddress());
        }
    }

    /**
     * Counts a request of a user.
     *
     * @throws ProblemException 429 beyond the limit
     */
    void countUser(String user) {
        if (users != null) {
            refuse(users.refuse(user), "user", limits.perUser());
        }
    }

    private static void refuse(Optional<Duration> wait, String whose, @Nullable Rate rate) {
        wait.ifPresent(after -> {
            throw new ProblemException(
                    Problems.retry(new Problem(ProblemType.RATE_LIMIT, "One " + whose + " may push here "
                            + rate + ". Nothing was stored: try again after the time in Retry-After"), after));
        });
    }
}

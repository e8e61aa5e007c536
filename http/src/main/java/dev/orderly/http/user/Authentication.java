package dev.orderly.http.user;

import dev.orderly.http.problem.Problem;
import dev.orderly.http.problem.ProblemType;
import dev.orderly.http.problem.Problems;
import dev.orderly.http.problem.Refusal;
import dev.orderly.user.UserId;
import java.time.Instant;
import java.util.Optional;

/** What came of looking who sends a request. */
public sealed interface Authentication {
    /**
     * A user, as a verified token says.
     *
     * @param until when the token expires
     */
    record Known(UserId user, Instant until) implements Authentication {}

    /** Nobody says who this is. */
    record Anonymous() implements Authentication {}

    /**
     * Somebody says so, and it does not hold.
     *
     * @param reason for the one who sent it; names no secret
     */
    record Rejected(String reason) implements Authentication {}

    /**
     * Somebody says so, and it cannot be found out whether it holds.
     *
     * @param reason for the one who sent it
     */
    record Unavailable(String reason) implements Authentication {}

    /**
     * The user, or nobody.
     *
     * @throws Refusal 401 if a token was rejected, 503 if it could not be checked
     */
    default Optional<UserId> userOrNobody() {
        return switch (this) {
            case Known known -> Optional.of(known.user());
            case Anonymous _ -> Optional.empty();
            case Rejected rejected -> throw unauthenticated(rejected.reason());
            case Unavailable unavailable -> throw unavailable(unavailable.reason());
        };
    }

    /**
     * The user.
     *
     * @throws Refusal 401 if there is none, 503 if that could not be found out
     */
    default Known known() {
        return switch (this) {
            case Known known -> known;
            case Anonymous _ -> throw unauthenticated("No user came with the request: send a bearer token or the cookie"
                    + " of a session");
            case Rejected rejected -> throw unauthenticated(rejected.reason());
            case Unavailable unavailable -> throw unavailable(unavailable.reason());
        };
    }

    private static Refusal unauthenticated(String detail) {
        return new Refusal(
                new Problem(ProblemType.UNAUTHENTICATED, detail).withHeader("WWW-Authenticate", "Bearer"));
    }

    private static Refusal unavailable(String detail) {
        return new Refusal(new Problem(ProblemType.UNAVAILABLE, detail).withHeader(Problems.RETRY_AFTER, "5"));
    }
}

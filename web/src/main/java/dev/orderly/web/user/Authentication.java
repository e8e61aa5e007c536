package dev.orderly.web.user;

import dev.orderly.user.UserId;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.problem.Problems;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The result of authenticating a request. */
public sealed interface Authentication {
    /**
     * A user with a verified token.
     *
     * @param until expiry of the token
     * @param claims the texts of the token's claims, by name: that of a text, a number or a truth, and those of a list
     */
    record Known(UserId user, Instant until, Map<String, List<String>> claims) implements Authentication {
        public Known {
            claims = Map.copyOf(claims);
        }

        /** A user whose claims are not known. */
        public Known(UserId user, Instant until) {
            this(user, until, Map.of());
        }

        /** Whether the claim has this text, or a list with it. */
        public boolean has(String claim, String text) {
            return claims.getOrDefault(claim, List.of()).contains(text);
        }
    }

    /** The request has no token. */
    record Anonymous() implements Authentication {}

    /**
     * The token is not valid.
     *
     * @param reason for the sender; contains no secret
     */
    record Rejected(String reason) implements Authentication {}

    /**
     * The token cannot be verified now.
     *
     * @param reason for the sender
     */
    record Unavailable(String reason) implements Authentication {}

    /**
     * The user; empty if there is no token.
     *
     * @throws ProblemException 401 if the token was rejected, 503 if it could not be verified
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
     * @throws ProblemException 401 if there is no valid token, 503 if it could not be verified
     */
    default Known known() {
        return switch (this) {
            case Known known -> known;
            case Anonymous _ -> throw unauthenticated("The request names no user: send a bearer token or a session"
                    + " cookie");
            case Rejected rejected -> throw unauthenticated(rejected.reason());
            case Unavailable unavailable -> throw unavailable(unavailable.reason());
        };
    }

    private static ProblemException unauthenticated(String detail) {
        return new ProblemException(
                new Problem(ProblemType.UNAUTHENTICATED, detail).withHeader("WWW-Authenticate", "Bearer"));
    }

    private static ProblemException unavailable(String detail) {
        return new ProblemException(new Problem(ProblemType.UNAVAILABLE, detail).withHeader(Problems.RETRY_AFTER, "5"));
    }
}

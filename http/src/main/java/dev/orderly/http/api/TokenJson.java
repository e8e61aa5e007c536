package dev.orderly.http.api;

import dev.orderly.access.AccessToken;
import dev.orderly.access.Role;
import dev.orderly.access.store.StoredToken;
import dev.orderly.http.openapi.Doc;
import dev.orderly.job.QueueName;
import dev.orderly.operate.TokenControl;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An access token. */
@Doc(name = "Token", value = "An access token without its secret.")
record TokenJson(String name, Role role, @Doc(QUEUES) List<String> queues, Instant created, @Nullable Instant ends,
        boolean ended, @Doc(USED) @Nullable Instant lastUsed) {
    static final String QUEUES = "The queues of a worker; empty for every other role, which has all queues.";
    static final String USED = "Reported about once a minute.";

    /** All tokens. */
    @Doc(name = "Tokens")
    record All(List<TokenJson> tokens) {}

    /** A token with its secret. */
    @Doc(name = "CreatedToken", value = "A token with its secret, which is not stored and not shown again.")
    record Created(String name, Role role, @Doc(QUEUES) List<String> queues, Instant created, @Nullable Instant ends,
            boolean ended, @Doc(USED) @Nullable Instant lastUsed,
            @Doc(facets = "pattern: '^orderly_[0-9A-Za-z]{49}$'") String token) {
        static Created of(TokenControl.Created created) {
            TokenJson token = TokenJson.of(new StoredToken(created.token(), "", null), created.token().created());
            return new Created(token.name, token.role, token.queues, token.created, token.ends, token.ended,
                    token.lastUsed, created.secret().text());
        }
    }

    /** A token that was revoked. */
    @Doc(name = "RevokedToken")
    record Revoked(String name) {}

    static TokenJson of(StoredToken stored, Instant now) {
        AccessToken token = stored.token();
        return new TokenJson(token.name().value(), token.role(),
                token.queues().stream().map(QueueName::value).toList(), token.created(), token.ends(),
                token.isEnded(now), stored.lastUsed());
    }
}

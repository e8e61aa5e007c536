package dev.orderly.operate;

import dev.orderly.access.AccessToken;
import dev.orderly.access.TokenSecret;
import dev.orderly.access.control.AccessControl;
import dev.orderly.access.store.CredentialStore;
import dev.orderly.access.store.StoredToken;
import dev.orderly.job.QueueName;
import dev.orderly.operate.OperationRefusedException.Reason;
import java.util.stream.Collectors;

/** The operations on access tokens. */
public final class TokenControl {
    private TokenControl() {}

    /** A token with its secret, which is shown once. */
    public record Created(AccessToken token, TokenSecret secret) {}

    public static Operation<Created> create(AccessControl control, AccessToken token, TokenSecret secret) {
        return Operation.of(OperationSpec.CREATE_TOKEN, "token " + token.name(), null,
                () -> switch (control.create(token, secret)) {
                    case CREATED -> new Created(token, secret);
                    case NAME_TAKEN ->
                        throw new OperationRefusedException(Reason.TOKEN_EXISTS, "There is a token named "
                                + token.name() + ": choose another name, or revoke it first");
                    case FULL -> throw new OperationRefusedException(Reason.TOO_MANY_TOKENS, "There are "
                            + CredentialStore.TOKENS_MAX + " tokens, as many as are allowed: revoke those that ended");
                }, created -> state(created.token()));
    }

    /** Revokes a token and its sessions. */
    public static Operation<AccessToken> revoke(AccessControl control, String name) {
        return new Operation<>(OperationSpec.REVOKE_TOKEN, (_, _) -> {
            AccessToken token = control.tokens().stream().map(StoredToken::token)
                    .filter(known -> known.name().value().equals(name)).findFirst().orElseThrow(() -> unknown(name));
            return new PreparedChange<>("token " + token.name(), state(token), () -> {
                if (!control.revoke(token.name())) {
                    throw unknown(name);
                }
                return token;
            }, _ -> "revoked");
        });
    }

    private static OperationRefusedException unknown(String name) {
        return new OperationRefusedException(Reason.UNKNOWN_TOKEN,
                "There is no token named \"" + Targets.shortened(name)
                        + "\": find the name in the list");
    }

    private static String state(AccessToken token) {
        return "role " + token.role().text() + (token.queues().isEmpty()
                ? ""
                : ", queues " + token.queues().stream()
                        .map(QueueName::value).collect(Collectors.joining(" ")))
                + (token.ends() == null ? "" : ", ends " + token.ends());
    }
}

package dev.orderly.web.user;

import dev.orderly.web.message.RequestHead;

/**
 * Authenticates the sender of a request. Thread-safe. May block for a moment, such as to read keys: not to be called on
 * an event loop.
 */
public interface Authenticator {
    /** An authenticator without users: every request is anonymous. */
    Authenticator NONE = new Authenticator() {
        @Override
        public Authentication of(RequestHead head) {
            return new Authentication.Anonymous();
        }

        @Override
        public Authentication verify(String token) {
            return new Authentication.Rejected("This server has no users: configure users.jwt");
        }
    };

    /**
     * Authenticates by the bearer token, or else by the cookie. An invalid bearer token is
     * {@link Authentication.Rejected}. An invalid cookie, or a cookie sent from a page of another site, is ignored. If
     * the keys are out of reach the answer is {@link Authentication.Unavailable}, for both.
     */
    Authentication of(RequestHead head);

    /** Verifies a token that came outside a request head, such as in a first message. */
    Authentication verify(String token);
}

package dev.orderly.http.user;

import dev.orderly.http.listener.Head;

/**
 * Tells who sends a request. Thread-safe. May block for a moment, such as to get keys: not to be asked on an event loop.
 */
public interface Authenticator {
    /** Knows no users: everybody is anonymous. */
    Authenticator NONE = new Authenticator() {
        @Override
        public Authentication of(Head head) {
            return new Authentication.Anonymous();
        }

        @Override
        public Authentication verify(String token) {
            return new Authentication.Rejected("This server knows no users: configure users.jwt");
        }
    };

    /**
     * By what the request brings: a bearer token, which counts before the cookie, or the cookie. A bearer token that does
     * not verify is {@link Authentication.Rejected}; a cookie that does not, or that a browser sends from a page of
     * another site, counts as none. Where the keys cannot be had it is {@link Authentication.Unavailable}, for both.
     */
    Authentication of(Head head);

    /** By a token that came another way, such as in a first message. */
    Authentication verify(String token);
}

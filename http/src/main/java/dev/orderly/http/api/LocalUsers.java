package dev.orderly.http.api;

import dev.orderly.http.listener.ConnectionGuard;

/** The users of this machine who may use the API. */
public enum LocalUsers {
    /** The server's own user, and root. If the machine does not list the users of connections, every user. */
    OWN,
    /** Every user of the machine. */
    ANY;

    /** The guard that refuses connections of other users. */
    public ConnectionGuard guard() {
        return LocalUserGuard.of(this);
    }
}

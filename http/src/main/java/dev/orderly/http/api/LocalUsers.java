package dev.orderly.http.api;

import dev.orderly.http.listener.ConnectionGuard;

/** The users of this machine that the API serves. */
public enum LocalUsers {
    /** The user that the server runs as, and root. Where the machine does not tell, every user. */
    OWN,
    /** Every user of the machine. */
    ANY;

    /** What refuses the connections of others. */
    public ConnectionGuard guard() {
        return LocalUserGuard.of(this);
    }
}

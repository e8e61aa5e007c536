package dev.orderly.http.access;

/** The users of this machine who may use the API on loopback without a token. */
public enum LocalUsers {
    /** The server's own user, and root. If the machine does not list the users of connections, every user. */
    OWN,
    /** Every user of the machine. */
    ANY,
    /** None: every request needs a token, or a trusted proxy. */
    NONE
}

package dev.orderly.server;

import java.net.http.HttpRequest;
import java.nio.file.Path;

/** Requests of the server's own user, with the credential in the file that the server has written. */
public final class OwnUser {
    private OwnUser() {}

    /** The request with the credential of a server in this process. */
    public static HttpRequest.Builder of(OrderlyServer server, HttpRequest.Builder request) {
        return of(server.localAccess(), request);
    }

    /** The request with the credential of a file. */
    public static HttpRequest.Builder of(Path localAccess, HttpRequest.Builder request) {
        return request.header("Authorization", "Bearer " + token(localAccess));
    }

    /** The credential of a file. */
    public static String token(Path localAccess) {
        return LocalAccessFile.read(localAccess).orElseThrow(() -> new AssertionError("No token in " + localAccess));
    }
}

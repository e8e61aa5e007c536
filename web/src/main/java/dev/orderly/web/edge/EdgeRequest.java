package dev.orderly.web.edge;

import dev.orderly.Internal;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.path.RequestPath;
import dev.orderly.web.problem.ProblemException;
import org.jspecify.annotations.Nullable;

/**
 * A request to the public edge, with the attributes that handlers use: derived from the head once, so that all handlers
 * see the same values.
 *
 * @param head as sent
 * @param path in its normal forms; as sent if it has none
 * @param malformed the reason why the path has no normal forms; null if it has
 * @param host in its normal form, without the port; empty if the request names none
 * @param sender the peer and the client behind it
 */
@Internal(to = "dev.orderly")
public record EdgeRequest(RequestHead head, RequestPath path, @Nullable ProblemException malformed, String host,
        Sender sender) {
    static EdgeRequest of(RequestHead head, TrustedProxies trusted) {
        try {
            return new EdgeRequest(head, pathOf(head), null, head.host(), new Sender(head, trusted));
        } catch (ProblemException malformed) {
            return new EdgeRequest(head, new RequestPath(head.path(), head.path()), malformed, head.host(),
                    new Sender(head, trusted));
        }
    }

    private static RequestPath pathOf(RequestHead head) {
        return head.served() == null ? RequestPath.of(head.path()) : RequestPath.of(head.path(), head.served());
    }

    /** The head with the normal form of its path, which origins get. */
    public RequestHead normalHead() {
        return head.withPath(path.wire());
    }

    public ClientAddress client() {
        return sender.client();
    }
}

package dev.orderly.web.client;

import dev.orderly.web.edge.EdgeHandler;
import dev.orderly.web.edge.EdgeRequest;
import dev.orderly.web.message.Header;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.message.Response;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.route.RequestRouter.Match;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * Serves the JavaScript client at {@value #PATH} to everyone.
 *
 * <p>Comments and indents, most of the file's size, are removed. Thread-safe, never blocks.
 */
public final class ClientScriptHandler implements EdgeHandler {
    /** The path from which browsers import it. */
    public static final String PATH = "/.orderly/client.js";

    private static final Pattern COMMENTS = Pattern.compile("/\\*\\*.*?\\*/|^\\s*//[^\\n]*\\n",
            Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern INDENTS = Pattern.compile("^\\s+", Pattern.MULTILINE);
    private static final String ABOUT = "// Orderly's client. With comments and types: docs/client.md says where.\n";

    private final Response whole;
    private final Response same;
    private final String tag;

    /** Reads the script once. */
    public ClientScriptHandler() {
        byte[] script = script();
        CRC32C sum = new CRC32C();
        sum.update(script);
        tag = "\"" + Long.toHexString(sum.getValue()) + "\"";
        List<Header> cached = List.of(new Header("Cache-Control", "public, max-age=300"), new Header("ETag", tag));
        same = new Response(304, cached, new byte[0]);
        whole = new Response(200, cached, script).addHeader("Content-Type", "text/javascript; charset=utf-8")
                .addHeader("X-Content-Type-Options", "nosniff");
    }

    /** @throws ProblemException if the script is requested with a method other than GET and HEAD */
    @Override
    public Match match(EdgeRequest request, Next next) {
        if (!request.path().wire().equals(PATH)) {
            return next.match(request);
        }
        RequestHead head = request.head();
        if (!head.method().equals("GET") && !head.method().equals("HEAD")) {
            throw new ProblemException(
                    new Problem(ProblemType.METHOD_NOT_ALLOWED, "The script can be read only: use GET")
                            .withHeader("Allow", "GET, HEAD"));
        }
        return new Match.Immediate(isKnown(head) ? same : whole);
    }

    private boolean isKnown(RequestHead head) {
        String known = head.header("If-None-Match");
        return known != null && (known.equals("*") || known.contains(tag));
    }

    private static byte[] script() {
        try (InputStream in = ClientScriptHandler.class.getResourceAsStream("client.js")) {
            if (in == null) {
                throw new IllegalStateException("client.js is missing beside " + ClientScriptHandler.class.getName());
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            String bare = INDENTS.matcher(COMMENTS.matcher(text).replaceAll("")).replaceAll("");
            return (ABOUT + bare).getBytes(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

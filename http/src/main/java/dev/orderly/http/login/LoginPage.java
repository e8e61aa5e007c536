package dev.orderly.http.login;

import dev.orderly.access.Identity;
import dev.orderly.web.message.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** The pages of the login, in one file each: no script, nothing loaded from elsewhere. */
final class LoginPage {
    private static final String FORM = """
            <p>Use an access token of this server.</p>
            {{problem}}<form method="post" action="/login" autocomplete="off">
            {{to}}<label for="token">Token</label>
            <input id="token" name="token" type="password" required autofocus spellcheck="false" \
            autocapitalize="none" maxlength="200" placeholder="orderly_&hellip;">
            <button>Sign in</button>
            </form>""";
    private static final String HINT = "On the server&rsquo;s machine, <code>orderly dashboard</code> opens this page"
            + " signed in, and <code>orderly token create NAME --role viewer</code> makes a token.";
    private static final String FACTS = "<dl><dt>Name</dt><dd>{{name}}</dd><dt>Role</dt><dd>{{role}}</dd></dl>";
    private static final String CONFIRM = FACTS + """

            <form method="post" action="{{action}}">
            <button autofocus>Sign in</button>
            </form>""";
    private static final String ONWARD = "<p><a href=\"/\">To the dashboard</a></p>";
    private static final String LOGOUT = """

            <form method="post" action="/logout">
            <input type="hidden" name="csrf" value="{{csrf}}">
            <button>Sign out</button>
            </form>""";

    private final String page;
    private final String policy;

    LoginPage() {
        String css = resource("login.css");
        this.page = resource("login.html").replace("{{css}}", css);
        this.policy = "default-src 'none'; style-src 'sha256-" + hash(css)
                + "'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
    }

    /**
     * @param problem the reason why the last token was refused; null for none
     * @param to path of the page to go on with; null for none
     */
    Response form(int status, @Nullable String problem, @Nullable String to) {
        String told = problem == null ? "" : "<p class=\"bad\" role=\"alert\">" + escaped(problem) + "</p>\n";
        String next = to == null ? "" : "<input type=\"hidden\" name=\"to\" value=\"" + escaped(to) + "\">\n";
        return answer(status, "Sign in", FORM.replace("{{to}}", next).replace("{{problem}}", told), HINT);
    }

    /** @param action path of the link that is confirmed */
    Response confirm(Identity who, String action) {
        return answer(200, "Sign in", CONFIRM.replace("{{name}}", escaped(who.name()))
                .replace("{{role}}", who.role().text()).replace("{{action}}", escaped(action)), HINT);
    }

    /** @param csrf token of the session; null if the identity has no session to end */
    Response signedIn(Identity who, @Nullable String csrf) {
        String facts = ONWARD + FACTS.replace("{{name}}", escaped(who.name())).replace("{{role}}", who.role().text());
        String by = switch (who.kind()) {
            case TOKEN -> "The session ends by itself when it is not used, or when its token is revoked.";
            case LOCAL -> "The session ends by itself when it is not used, and with the server's process.";
            case PROXY, APPLICATION -> "The proxy in front of this page names you; sign out there.";
        };
        return answer(200, "You are signed in", facts + (csrf == null ? "" : LOGOUT.replace("{{csrf}}", csrf)), by);
    }

    private Response answer(int status, String title, String content, String footer) {
        String whole = page.replace("{{title}}", title).replace("{{footer}}", footer).replace("{{content}}", content);
        return Response.html(status, whole)
                .withHeader("Content-Security-Policy", policy).withHeader("Referrer-Policy", "same-origin")
                .withHeader("X-Frame-Options", "DENY").withHeader("Cache-Control", "no-store");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;")
                .replace("'", "&#39;").replace("{", "&#123;");
    }

    private static String resource(String name) {
        try (InputStream in = LoginPage.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing beside " + LoginPage.class.getName());
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String hash(String content) {
        try {
            return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256")
                    .digest(content.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }
}

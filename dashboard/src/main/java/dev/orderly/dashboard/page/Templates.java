package dev.orderly.dashboard.page;

import dev.orderly.web.message.Response;
import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.util.Map;

/** Pages and fragments as HTML, by templates that the build has compiled. Thread-safe. */
public final class Templates {
    /** Nothing from elsewhere, no script and no style in a page itself; a preview of a waiting page in a frame. */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self';"
            + " img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-src 'self';"
            + " form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    private final TemplateEngine engine = TemplateEngine.createPrecompiled(null, ContentType.Html,
            Templates.class.getClassLoader(), "dev.orderly.dashboard.template");

    /** The HTML of a page. */
    public String html(Page page, Layout layout) {
        StringOutput out = new StringOutput();
        engine.render(page.template(), Map.of("page", page, "layout", layout), out);
        return out.toString();
    }

    /** A whole response with a page, and the headers that protect it. */
    public Response page(int status, Page page, Layout layout) {
        return Response.html(status, html(page, layout)).withHeader("Content-Security-Policy", POLICY)
                .withHeader("Referrer-Policy", "same-origin").withHeader("X-Content-Type-Options", "nosniff")
                .withHeader("X-Frame-Options", "DENY").withHeader("Cache-Control", "no-store");
    }

    /** The HTML of a notice. */
    public String notice(Notice notice, String base) {
        StringOutput out = new StringOutput();
        engine.render("layout/notice.jte", Map.of("notice", notice, "base", base), out);
        return out.toString();
    }
}

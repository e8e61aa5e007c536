package dev.orderly.servlet.room;

import dev.orderly.web.message.Header;
import dev.orderly.web.route.ExchangeAdditions;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;

/**
 * The answer of the application, with the headers of the rooms: new tokens, which stay when the application begins its
 * answer anew, and which no cache may keep. A command of the application to the room does not reach the client.
 */
final class AdmittedResponse extends HttpServletResponseWrapper {
    private static final String COMMAND = "Orderly-Command";
    private static final String CACHE_CONTROL = "Cache-Control";

    private final ExchangeAdditions additions;

    AdmittedResponse(HttpServletResponse response, ExchangeAdditions additions) {
        super(response);
        this.additions = additions;
        addOurs();
    }

    private void addOurs() {
        for (Header header : additions.answered()) {
            super.addHeader(header.name(), header.value());
        }
    }

    @Override
    public void reset() {
        super.reset();
        addOurs();
    }

    @Override
    public void setHeader(String name, String value) {
        if (name.equalsIgnoreCase(COMMAND)) {
            additions.commands().accept(value.strip());
            return;
        }
        super.setHeader(name, value);
        if (name.equalsIgnoreCase(CACHE_CONTROL)) {
            additions.answered().stream().filter(ours -> ours.name().equalsIgnoreCase(CACHE_CONTROL))
                    .forEach(ours -> super.addHeader(ours.name(), ours.value()));
        }
    }

    @Override
    public void addHeader(String name, String value) {
        if (name.equalsIgnoreCase(COMMAND)) {
            additions.commands().accept(value.strip());
        } else {
            super.addHeader(name, value);
        }
    }
}

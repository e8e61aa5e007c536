package dev.orderly.servlet.room;

import dev.orderly.web.header.CacheHeaders;
import dev.orderly.web.message.Header;
import dev.orderly.web.route.ExchangeContext;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;

/**
 * The answer of the application, with the headers of the rooms: new tokens, which stay when the application begins its
 * answer anew, and which no cache may keep. A command of the application to the room does not reach the client.
 */
final class AdmittedResponse extends HttpServletResponseWrapper {
    private static final String COMMAND = "Orderly-Command";

    private final ExchangeContext additions;

    AdmittedResponse(HttpServletResponse response, ExchangeContext additions) {
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
        if (!isTaken(name, value)) {
            super.setHeader(name, value);
        }
    }

    @Override
    public void addHeader(String name, String value) {
        if (!isTaken(name, value)) {
            super.addHeader(name, value);
        }
    }

    @Override
    public void setDateHeader(String name, long date) {
        if (!isOurs(name)) {
            super.setDateHeader(name, date);
        }
    }

    @Override
    public void addDateHeader(String name, long date) {
        if (!isOurs(name)) {
            super.addDateHeader(name, date);
        }
    }

    @Override
    public void setIntHeader(String name, int value) {
        setHeader(name, Integer.toString(value));
    }

    @Override
    public void addIntHeader(String name, int value) {
        addHeader(name, Integer.toString(value));
    }

    /** Whether a header of the application ends here: a command, or what would let a cache keep a token. */
    private boolean isTaken(String name, String value) {
        if (name.equalsIgnoreCase(COMMAND)) {
            additions.commands().accept(value.strip());
            return true;
        }
        return isOurs(name);
    }

    private boolean isOurs(String name) {
        return additions.setsCookie() && CacheHeaders.isOne(name);
    }
}

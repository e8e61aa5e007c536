package dev.orderly.spring;

import dev.orderly.OrderlyException;
import java.util.Objects;

/**
 * A mistake in the application's configuration, found at its start. Spring Boot prints description and remedy instead
 * of a stack trace.
 */
public final class StartRefusedException extends OrderlyException {
    private static final long serialVersionUID = 1;

    private final String remedy;

    /**
     * @param message the thing and the broken rule
     * @param remedy how to satisfy the rule
     */
    public StartRefusedException(String message, String remedy) {
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(remedy, "remedy");
        super(message, null);
        this.remedy = remedy;
    }

    public String remedy() {
        return remedy;
    }
}

package dev.orderly.dashboard.exchange;

import dev.orderly.operate.OperationRefusedException;

/** A request that is not served as asked, with the page or notice that says why and what to do. */
public final class RefusedFormException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;
    private final String title;

    /**
     * @param status of HTTP: 403, 404, 409, 422 or 503
     * @param title a few words
     * @param detail the thing, the rule and the remedy
     */
    public RefusedFormException(int status, String title, String detail) {
        super(detail, null, false, false);
        this.status = status;
        this.title = title;
    }

    /** An operation that was refused. */
    public RefusedFormException(OperationRefusedException refused) {
        this(refused.reason().status(), refused.reason().title(), refused.getMessage());
    }

    /** 404 for a thing that does not exist. */
    public static RefusedFormException unknown(String thing, String remedy) {
        return new RefusedFormException(404, "Nothing here", thing + " does not exist: " + remedy);
    }

    /** 409 for a form whose thing has changed since it was shown. */
    public static RefusedFormException stale(String detail) {
        return new RefusedFormException(409, "It has changed meanwhile", detail);
    }

    public int status() {
        return status;
    }

    public String title() {
        return title;
    }

    /** The detail. */
    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}

package dev.orderly.http.tls;

import org.jspecify.annotations.Nullable;

/** A certificate or key that cannot be used. Its message names the file, the rule and the remedy, and no secret. */
public final class UnusableCertificateException extends Exception {
    private final String rule;
    private final String remedy;

    public UnusableCertificateException(String rule, String remedy) {
        this(rule, remedy, null);
    }

    UnusableCertificateException(String rule, String remedy, @Nullable Throwable cause) {
        super(rule + ": " + remedy, cause);
        this.rule = rule;
        this.remedy = remedy;
    }

    /** The thing and the rule that it breaks. */
    public String rule() {
        return rule;
    }

    public String remedy() {
        return remedy;
    }
}

package dev.orderly.http.acme;

/** The way in which a server shows an authority that a domain leads to it. */
public enum AcmeChallenge {
    /** By an answer on port 80 (RFC 8555, section 8.3). */
    HTTP_01("http-01"),
    /** By a certificate on port 443 (RFC 8737). */
    TLS_ALPN_01("tls-alpn-01");

    private final String text;

    AcmeChallenge(String text) {
        this.text = text;
    }

    /** The name in ACME and in the configuration. */
    public String text() {
        return text;
    }
}

package dev.orderly.http.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** Gives each handshake the certificate for the host that its client names. Never blocks. */
final class CertificateKeyManager extends X509ExtendedKeyManager {
    private final CurrentCertificates certificates;

    CertificateKeyManager(CurrentCertificates certificates) {
        this.certificates = certificates;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
        return certificates.choose(host(engine), keyType);
    }

    private static @Nullable String host(SSLEngine engine) {
        if (engine.getHandshakeSession() instanceof ExtendedSSLSession session) {
            for (SNIServerName name : session.getRequestedServerNames()) {
                if (name instanceof SNIHostName host) {
                    return host.getAsciiName();
                }
            }
        }
        return null;
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        ServerCertificate found = certificates.find(alias);
        return found == null ? null : found.chain().toArray(X509Certificate[]::new);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        ServerCertificate found = certificates.find(alias);
        return found == null ? null : found.key();
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, Socket socket) {
        return certificates.choose(null, keyType);
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseClientAlias(String[] keyType, Principal @Nullable [] issuers, Socket socket) {
        return null;
    }
}

package dev.orderly.server;

import dev.orderly.Store;
import dev.orderly.access.Identity;
import dev.orderly.access.Role;
import dev.orderly.access.TokenSecret;
import dev.orderly.access.control.AccessControl;
import dev.orderly.access.control.LocalCredential;
import dev.orderly.config.AccessConfig;
import dev.orderly.config.ListenAddress;
import dev.orderly.config.SecretLocation;
import dev.orderly.http.access.AccessPolicy;
import dev.orderly.http.access.ProxyAccess;
import dev.orderly.http.api.ConfigReload;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.operate.Caller;
import dev.orderly.operate.Operation;
import dev.orderly.operate.Operations;
import dev.orderly.operate.Targets;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Access to the API of a server: its credentials, its audit log, and the address on which it may listen. */
final class ApiAccess implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ApiAccess.class);
    private static final int SECRET_MIN = 32;
    private static final String FIRST = "orderly token create NAME --role admin";

    private final AccessConfig config;
    private final ProxyAccess proxy;
    private final AccessControl control;

    /**
     * Access with a local credential, if the configuration has one.
     *
     * @param proxy the proxies of the configuration, with their secret
     * @param local tokens of the server's own user
     */
    ApiAccess(AccessConfig config, ProxyAccess proxy, List<TokenSecret> local, Store store) {
        this.config = config;
        this.proxy = proxy;
        this.control = new AccessControl(store.credentials(), store.audit(), store.clock(Time.system()),
                config.options(), config.local() ? LocalCredential.of(local) : LocalCredential.NONE);
    }

    /**
     * The proxies of a configuration, with their secret. Blocks on files.
     *
     * @throws StartFailedException if the secret cannot be read, or is too short
     */
    static ProxyAccess proxy(AccessConfig config, Map<String, String> environment) {
        SecretLocation place = config.proxySecret();
        if (place == null) {
            return config.proxy();
        }
        byte[] secret = SharedSecrets.read(place, environment, "the proxies");
        if (secret.length < SECRET_MIN) {
            throw new StartFailedException(
                    "The secret of the proxies in " + place + " has " + secret.length + " bytes: use "
                            + SECRET_MIN + " or more, for instance of: openssl rand -hex 32",
                    null);
        }
        return config.proxy().withSecret(new String(secret, StandardCharsets.UTF_8));
    }

    AccessControl control() {
        return control;
    }

    /**
     * The rules of the API's listener. Without any token, and without a proxy that names users, nobody elsewhere could
     * use the API: then it stays on loopback. Reads the tokens; blocks.
     */
    AccessPolicy policy(ListenAddress configured) {
        BindAddress bind = new BindAddress(configured.host(), configured.port());
        boolean tokens = control.hasTokens();
        boolean named = config.proxy().userHeader() != null;
        if (!tokens && !named) {
            LOG.info("There is no access token: the API serves this machine only. Create one with: {}", FIRST);
            if (!bind.isLoopback()) {
                LOG.warn("The API stays on {} instead of {} until there is an access token: {}, then start again",
                        BindAddress.LOOPBACK, bind.host(), FIRST);
                bind = new BindAddress(BindAddress.LOOPBACK, bind.port());
            }
            if (!config.local()) {
                LOG.warn("Nobody can use the API: admin.local-access is false, and there is no access token. Start once"
                        + " with ORDERLY_ADMIN_LOCAL_ACCESS=true and create one: {}", FIRST);
            }
        }
        return new AccessPolicy(bind, configured.tls() != null, config.hosts(), proxy);
    }

    /**
     * A reload that no call of the API asked for, with an entry in the audit log.
     *
     * @param cause in the entry, in place of an address
     * @param targets what operations change
     */
    ConfigReload.Result recorded(String cause, ConfigReload reload, Targets targets) {
        try {
            return run(cause, reload.operation(), targets);
        } catch (ConfigReload.NothingChangedException e) {
            return e.refused();
        } catch (StoreException e) {
            LOG.error("The configuration is not read again, since the audit log cannot be written: {}",
                    e.getMessage());
            return new ConfigReload.Result.Refused(List.of(String.valueOf(e.getMessage())));
        }
    }

    /**
     * An operation that no call of the API asked for, with an entry in the audit log. Blocks.
     *
     * @param cause in the entry, in place of an address
     */
    <T> T run(String cause, Operation<T> operation, Targets targets) {
        Identity who = new Identity(Identity.Kind.LOCAL, System.getProperty("user.name", "?"), Role.ADMIN);
        return new Operations(targets, control.audit()).run(new Caller(who, cause, null), operation, null);
    }

    void start() {
        control.start();
    }

    @Override
    public void close() {
        control.close();
    }
}

package dev.orderly.server;

import dev.orderly.Store;
import dev.orderly.access.Identity;
import dev.orderly.access.control.AccessControl;
import dev.orderly.access.control.AuditLog;
import dev.orderly.access.store.AuditAct;
import dev.orderly.config.AccessConfig;
import dev.orderly.config.ListenAddress;
import dev.orderly.http.access.AccessPolicy;
import dev.orderly.http.access.LocalUsers;
import dev.orderly.http.api.ConfigReload;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Access to the API of a server: its credentials, its audit log, and the address on which it may listen. */
final class ApiAccess implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ApiAccess.class);
    private static final String FIRST = "orderly token create NAME --role admin";

    private final AccessConfig config;
    private final AccessControl control;

    ApiAccess(AccessConfig config, Store store) {
        this.config = config;
        this.control = new AccessControl(store.credentials(), store.audit(), store.clock(Time.system()),
                config.options());
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
            if (config.local() == LocalUsers.NONE) {
                LOG.warn("Nobody can use the API: admin.local-users is none, and there is no access token. Start once"
                        + " with ORDERLY_ADMIN_LOCAL_USERS=own and create one: {}", FIRST);
            }
        }
        return new AccessPolicy(bind, configured.tls() != null, config.hosts(), config.local(), config.proxy());
    }

    /**
     * A reload that no call of the API asked for, with an entry in the audit log.
     *
     * @param cause in the entry, in place of an address
     */
    ConfigReload.Result recorded(String cause, ConfigReload reload) {
        AuditLog audit = control.audit();
        AuditAct act = new AuditAct(audit.now(), Identity.Kind.LOCAL, System.getProperty("user.name", "?"), cause,
                ConfigReload.OPERATION, ConfigReload.OBJECT, null);
        try {
            return audit.record(act, () -> reload.reload().applied(), ConfigReload.Result.Applied::summary);
        } catch (ConfigReload.NothingChanged e) {
            return e.refused();
        } catch (StoreException e) {
            LOG.error("The configuration is not read again, since the audit log cannot be written: {}",
                    e.getMessage());
            return new ConfigReload.Result.Refused(List.of(String.valueOf(e.getMessage())));
        }
    }

    void start() {
        control.start();
    }

    @Override
    public void close() {
        control.close();
    }
}

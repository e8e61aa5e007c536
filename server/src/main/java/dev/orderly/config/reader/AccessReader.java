package dev.orderly.config.reader;

import dev.orderly.access.control.AccessOptions;
import dev.orderly.config.AccessConfig;
import dev.orderly.config.ConfigProblem;
import dev.orderly.config.ListenAddress;
import dev.orderly.config.SecretLocation;
import dev.orderly.config.schema.AccessSchema;
import dev.orderly.config.schema.AccessSchema.ProxyRole;
import dev.orderly.config.schema.Amounts;
import dev.orderly.config.schema.ConfigSchema;
import dev.orderly.http.access.ProxyAccess;
import dev.orderly.web.edge.TrustedProxies;
import dev.orderly.web.header.Authority;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the settings of access to the API. */
final class AccessReader {
    private final Path folder;
    private final List<ConfigProblem> problems;

    /** @param folder the folder of relative paths */
    AccessReader(Path folder, List<ConfigProblem> problems) {
        this.folder = folder;
        this.problems = problems;
    }

    /** @param listener the address of the API */
    AccessConfig read(CheckedSection file, ListenAddress listener) {
        CheckedSection admin = file.below(ConfigSchema.ADMIN);
        ProxyAccess proxy = proxy(admin);
        boolean beyond = !Authority.isLoopback(listener.host());
        if (beyond && listener.tls() == null && !admin.has(AccessSchema.TRUSTED)) {
            problems.add(admin.problem(ConfigSchema.ADMIN_HOST,
                    "Beyond loopback, without TLS, tokens would be shown to the network",
                    "set admin.tls, name the proxies in front of the API in admin.trusted-proxies, or use 127.0.0.1"));
        }
        return new AccessConfig(admin.value(AccessSchema.LOCAL_ACCESS).orElse(true),
                admin.values(AccessSchema.HOSTS), proxy, secret(admin), options(file, admin));
    }

    private @Nullable SecretLocation secret(CheckedSection admin) {
        List<SecretLocation> given = Stream.concat(
                admin.value(AccessSchema.PROXY_SECRET_ENV).<SecretLocation>map(SecretLocation.Variable::new).stream(),
                admin.value(AccessSchema.PROXY_SECRET_FILE).<SecretLocation>map(
                        file -> new SecretLocation.SecretFile(folder.resolve(file).normalize())).stream())
                .toList();
        if (admin.has(AccessSchema.USER_HEADER) && given.size() != 1) {
            problems.add(admin.problem(AccessSchema.USER_HEADER, given.isEmpty()
                    ? "Every program on the machine of a proxy could name users, since nothing proves the proxy"
                    : "Two secrets are named, and only one can count",
                    "set one of admin.proxy-secret-env and admin.proxy-secret-file, and let the proxy send the secret"
                            + " in the header " + ProxyAccess.SECRET));
        }
        return given.isEmpty() ? null : given.getFirst();
    }

    private ProxyAccess proxy(CheckedSection admin) {
        String user = admin.value(AccessSchema.USER_HEADER).orElse(null);
        String role = admin.value(AccessSchema.ROLE_HEADER).orElse(null);
        if (user != null && !admin.has(AccessSchema.TRUSTED)) {
            problems.add(admin.problem(AccessSchema.USER_HEADER, "No proxy is trusted to name users",
                    "name its address in admin.trusted-proxies"));
        }
        if (role != null && user == null) {
            problems.add(admin.problem(AccessSchema.ROLE_HEADER, "A role without a user counts for nothing",
                    "set admin.proxy-user-header too"));
        }
        ProxyRole otherwise = admin.value(AccessSchema.PROXY_ROLE).orElse(ProxyRole.VIEWER);
        return new ProxyAccess(new TrustedProxies(admin.values(AccessSchema.TRUSTED)), user, role,
                otherwise.role(), null);
    }

    private AccessOptions options(CheckedSection file, CheckedSection admin) {
        Duration idle = admin.value(AccessSchema.SESSION_IDLE).orElse(AccessOptions.DEFAULT.sessionIdle());
        Duration most = admin.value(AccessSchema.SESSION_MAX).orElse(AccessOptions.DEFAULT.sessionMost());
        if (idle.compareTo(most) > 0) {
            problems.add(admin.problem(AccessSchema.SESSION_IDLE, "The idle time, " + Amounts.text(idle)
                    + ", is longer than the longest session, " + Amounts.text(most),
                    "make session-idle shorter or session-max longer"));
            return AccessOptions.DEFAULT;
        }
        return new AccessOptions(idle, most, file.below(ConfigSchema.KEEP).value(AccessSchema.KEEP_AUDIT)
                .orElse(AccessOptions.DEFAULT.keepAudit()));
    }
}

package dev.orderly.config;

import dev.orderly.access.Role;
import dev.orderly.access.control.AccessOptions;
import dev.orderly.config.schema.CheckedSection;
import dev.orderly.config.schema.KeySpec;
import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.schema.KeySpec.Group;
import dev.orderly.config.schema.KeySpec.Many;
import dev.orderly.config.schema.RoomValueTypes;
import dev.orderly.config.schema.UnitText;
import dev.orderly.config.schema.ValueType;
import dev.orderly.config.schema.ValueTypes;
import dev.orderly.http.access.ProxyAccess;
import dev.orderly.web.edge.CidrBlock;
import dev.orderly.web.edge.TrustedProxies;
import dev.orderly.web.header.Authority;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The settings of access to the API.
 *
 * @param local whether the server writes a credential for its own user
 * @param hosts further names under which the API answers
 * @param proxy the proxies in front of the API, and the users that they name; without their secret
 * @param proxySecret the place of that secret; null if no proxy names users
 */
public record AccessConfig(boolean local, List<String> hosts, ProxyAccess proxy, @Nullable SecretLocation proxySecret,
        AccessOptions options) {
    /** The role of a proxy's user whose role no header names. */
    public enum ProxyRole {
        /** The user is refused. */
        NONE(null), VIEWER(Role.VIEWER), OPERATOR(Role.OPERATOR), ADMIN(Role.ADMIN);

        private final @Nullable Role role;

        ProxyRole(@Nullable Role role) {
            this.role = role;
        }

        public @Nullable Role role() {
            return role;
        }
    }

    private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}");
    private static final String NONE = "none";
    private static final String ONE = "one of the two with proxy-user-header";

    static final KeySpec.Key<Integer> ADMIN_PORT = new KeySpec.Key<>("port", ValueTypes.port("8081"),
            new Absent.Means("8081"),
            "The port of the API.");
    static final KeySpec.Key<String> ADMIN_HOST = new KeySpec.Key<>("host", ValueTypes.host(),
            new Absent.Means("127.0.0.1"),
            "The address of the API's listener. Another than 127.0.0.1, ::1 or localhost needs `tls` or"
                    + " `trusted-proxies`, and is used once there is an access token or `proxy-user-header`; until then"
                    + " the API stays on 127.0.0.1.");
    static final KeySpec.Key<Boolean> LOCAL_ACCESS = new KeySpec.Key<>("local-access", ValueTypes.flag(),
            new Absent.Means("true"),
            "Whether the server writes the file `local-access` beside its secret, with a token of the role admin that"
                    + " is derived from the secret. Only the server's own user and root can read the file; the command"
                    + " line uses it by itself.");
    static final Many<String> HOSTS = new Many<>("hosts", RoomValueTypes.hostName(),
            new Absent.Depends("loopback names, and the address of `admin.host`"),
            "Further names of hosts under which the API and the metrics answer, such as the name that a proxy shows.");
    static final Many<CidrBlock> TRUSTED = new Many<>("trusted-proxies", RoomValueTypes.addresses(),
            new Absent.Depends(NONE),
            "The proxies in front of the API, whose `X-Forwarded-…` headers, and headers for user and role, are"
                    + " trusted. Without TLS the API serves only these addresses and this machine.");
    static final KeySpec.Key<String> USER_HEADER = new KeySpec.Key<>("proxy-user-header",
            header("X-Forwarded-User"),
            new Absent.Depends("none: tokens only"),
            "The header in which a trusted proxy names the user that it has authenticated. Needs a secret that the"
                    + " proxy sends beside it.");
    static final KeySpec.Key<String> ROLE_HEADER = new KeySpec.Key<>("proxy-role-header",
            header("X-Forwarded-Groups"), new Absent.Depends(NONE),
            "The header in which a trusted proxy names the roles of that user, separated by commas. The highest of"
                    + " viewer, operator and admin counts.");
    static final KeySpec.Key<ProxyRole> PROXY_ROLE = new KeySpec.Key<>("proxy-role", role(),
            new Absent.Means(Role.VIEWER.text()),
            "The role of such a user if the role header names none; `none` refuses the user.");
    static final KeySpec.Key<String> PROXY_SECRET_ENV = new KeySpec.Key<>("proxy-secret-env",
            ValueTypes.variable("PROXY_SECRET"), new Absent.Depends(ONE),
            "The variable with the secret that the proxies send in the header `" + ProxyAccess.SECRET
                    + "`, 32 characters or more. Without it every program on a proxy's machine could name users.");
    static final KeySpec.Key<Path> PROXY_SECRET_FILE = new KeySpec.Key<>("proxy-secret-file",
            ValueTypes.path("data/proxy-secret"), new Absent.Depends(ONE),
            "The file with that secret; surrounding blanks and line ends are ignored.");
    static final KeySpec.Key<Duration> SESSION_IDLE = new KeySpec.Key<>("session-idle",
            ValueTypes.duration("5m", "7d", "30m"),
            new Absent.Means(UnitText.text(AccessOptions.DEFAULT.sessionIdle())),
            "How long a browser's session lasts without a request.");
    static final KeySpec.Key<Duration> SESSION_MAX = new KeySpec.Key<>("session-max",
            ValueTypes.duration("5m", "30d", "12h"),
            new Absent.Means(UnitText.text(AccessOptions.DEFAULT.sessionMost())),
            "How long a browser's session lasts at most.");
    static final KeySpec.Key<Duration> KEEP_AUDIT = new KeySpec.Key<>("audit",
            ValueTypes.duration("1d", "3650d", "90d"),
            new Absent.Means(UnitText.text(AccessOptions.DEFAULT.keepAudit())),
            "How long entries of the audit log are kept; about a million at most.");
    static final Group ADMIN = new Group("admin",
            List.of(ADMIN_PORT, ADMIN_HOST, TlsConfig.ADMIN_TLS, LOCAL_ACCESS, HOSTS, TRUSTED, USER_HEADER, ROLE_HEADER,
                    PROXY_ROLE, PROXY_SECRET_ENV, PROXY_SECRET_FILE, SESSION_IDLE, SESSION_MAX),
            "The listener of the API, which the command line uses, and who may use it. See [Access](access.md).");

    public AccessConfig {
        hosts = List.copyOf(hosts);
    }

    /** Its line in the log, defaults included, without secrets. */
    String inForce() {
        return "local-access " + local
                + (hosts.isEmpty() ? "" : ", hosts " + String.join(" ", hosts))
                + (proxy.proxies().blocks().isEmpty()
                        ? ""
                        : ", trusted-proxies " + proxy.proxies().blocks().stream()
                                .map(block -> block.network().getHostAddress() + "/" + block.bits())
                                .collect(Collectors.joining(" ")))
                + (proxy.userHeader() == null ? "" : ", users by " + proxy.userHeader()) + ", sessions "
                + UnitText.text(options.sessionIdle()) + " idle and "
                + UnitText.text(options.sessionMost()) + " in all";
    }

    /** @param listener the address of the API */
    static AccessConfig read(CheckedSection file, ListenAddress listener) {
        CheckedSection admin = file.below(ADMIN);
        ProxyAccess proxy = proxy(admin);
        boolean beyond = !Authority.isLoopback(listener.host());
        if (beyond && listener.tls() == null && !admin.has(TRUSTED)) {
            admin.report(ADMIN_HOST,
                    "Beyond loopback, without TLS, tokens would be shown to the network",
                    "set admin.tls, name the proxies in front of the API in admin.trusted-proxies, or use 127.0.0.1");
        }
        return new AccessConfig(admin.value(LOCAL_ACCESS).orElse(true),
                admin.values(HOSTS), proxy, secret(admin), options(file, admin));
    }

    private static @Nullable SecretLocation secret(CheckedSection admin) {
        List<SecretLocation> given = Stream.concat(
                admin.value(PROXY_SECRET_ENV).<SecretLocation>map(SecretLocation.Variable::new).stream(),
                admin.path(PROXY_SECRET_FILE).<SecretLocation>map(SecretLocation.SecretFile::new).stream())
                .toList();
        if (admin.has(USER_HEADER) && given.size() != 1) {
            admin.report(USER_HEADER, given.isEmpty()
                    ? "Every program on the machine of a proxy could name users, since nothing proves the proxy"
                    : "Two secrets are named, and only one can count",
                    "set one of admin.proxy-secret-env and admin.proxy-secret-file, and let the proxy send the secret"
                            + " in the header " + ProxyAccess.SECRET);
        }
        return given.isEmpty() ? null : given.getFirst();
    }

    private static ProxyAccess proxy(CheckedSection admin) {
        String user = admin.value(USER_HEADER).orElse(null);
        String role = admin.value(ROLE_HEADER).orElse(null);
        if (user != null && !admin.has(TRUSTED)) {
            admin.report(USER_HEADER, "No proxy is trusted to name users",
                    "name its address in admin.trusted-proxies");
        }
        if (role != null && user == null) {
            admin.report(ROLE_HEADER, "A role without a user counts for nothing",
                    "set admin.proxy-user-header too");
        }
        ProxyRole otherwise = admin.value(PROXY_ROLE).orElse(ProxyRole.VIEWER);
        return new ProxyAccess(new TrustedProxies(admin.values(TRUSTED)), user, role,
                otherwise.role(), null);
    }

    private static AccessOptions options(CheckedSection file, CheckedSection admin) {
        Duration idle = admin.value(SESSION_IDLE).orElse(AccessOptions.DEFAULT.sessionIdle());
        Duration most = admin.value(SESSION_MAX).orElse(AccessOptions.DEFAULT.sessionMost());
        if (idle.compareTo(most) > 0) {
            admin.report(SESSION_IDLE, "The idle time, " + UnitText.text(idle)
                    + ", is longer than the longest session, " + UnitText.text(most),
                    "make session-idle shorter or session-max longer");
            return AccessOptions.DEFAULT;
        }
        return new AccessOptions(idle, most, file.below(Config.KEEP).value(KEEP_AUDIT)
                .orElse(AccessOptions.DEFAULT.keepAudit()));
    }

    private static ValueType<String> header(String example) {
        return new ValueType<>("the name of a header", text -> Optional.of(text).filter(HEADER.asMatchPredicate()),
                example);
    }

    private static ValueType<ProxyRole> role() {
        return new ValueType<>("viewer, operator, admin or none",
                text -> Arrays.stream(ProxyRole.values()).filter(role -> ValueTypes.lower(role).equals(text))
                        .findFirst(),
                Role.VIEWER.text());
    }
}

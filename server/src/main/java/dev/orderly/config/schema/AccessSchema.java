package dev.orderly.config.schema;

import dev.orderly.access.Role;
import dev.orderly.access.control.AccessOptions;
import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.schema.KeySpec.Many;
import dev.orderly.http.access.ProxyAccess;
import dev.orderly.web.edge.CidrBlock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The keys of access to the API. */
public final class AccessSchema {
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

    public static final KeySpec.Key<Boolean> LOCAL_ACCESS = new KeySpec.Key<>("local-access", ValueTypes.flag(),
            new Absent.Means("true"),
            "Whether the server writes the file `local-access` beside its secret, with a token of the role admin that"
                    + " is derived from the secret. Only the server's own user and root can read the file; the command"
                    + " line uses it by itself.");
    public static final Many<String> HOSTS = new Many<>("hosts", RoomValueTypes.hostName(),
            new Absent.Depends("loopback names, and the address of `admin.host`"),
            "Further names of hosts under which the API and the metrics answer, such as the name that a proxy shows.");
    public static final Many<CidrBlock> TRUSTED = new Many<>("trusted-proxies", RoomValueTypes.addresses(),
            new Absent.Depends(NONE),
            "The proxies in front of the API, whose `X-Forwarded-…` headers, and headers for user and role, are"
                    + " trusted. Without TLS the API serves only these addresses and this machine.");
    public static final KeySpec.Key<String> USER_HEADER = new KeySpec.Key<>("proxy-user-header",
            header("X-Forwarded-User"),
            new Absent.Depends("none: tokens only"),
            "The header in which a trusted proxy names the user that it has authenticated. Needs a secret that the"
                    + " proxy sends beside it.");
    public static final KeySpec.Key<String> ROLE_HEADER = new KeySpec.Key<>("proxy-role-header",
            header("X-Forwarded-Groups"), new Absent.Depends(NONE),
            "The header in which a trusted proxy names the roles of that user, separated by commas. The highest of"
                    + " viewer, operator and admin counts.");
    public static final KeySpec.Key<ProxyRole> PROXY_ROLE = new KeySpec.Key<>("proxy-role", role(),
            new Absent.Means(Role.VIEWER.text()),
            "The role of such a user if the role header names none; `none` refuses the user.");
    public static final KeySpec.Key<String> PROXY_SECRET_ENV = new KeySpec.Key<>("proxy-secret-env",
            ValueTypes.variable("PROXY_SECRET"), new Absent.Depends(ONE),
            "The variable with the secret that the proxies send in the header `" + ProxyAccess.SECRET
                    + "`, 32 characters or more. Without it every program on a proxy's machine could name users.");
    public static final KeySpec.Key<Path> PROXY_SECRET_FILE = new KeySpec.Key<>("proxy-secret-file",
            ValueTypes.path("data/proxy-secret"), new Absent.Depends(ONE),
            "The file with that secret; surrounding blanks and line ends are ignored.");
    public static final KeySpec.Key<Duration> SESSION_IDLE = new KeySpec.Key<>("session-idle",
            ValueTypes.duration("5m", "7d", "30m"), new Absent.Means(Amounts.text(AccessOptions.DEFAULT.sessionIdle())),
            "How long a browser's session lasts without a request.");
    public static final KeySpec.Key<Duration> SESSION_MAX = new KeySpec.Key<>("session-max",
            ValueTypes.duration("5m", "30d", "12h"),
            new Absent.Means(Amounts.text(AccessOptions.DEFAULT.sessionMost())),
            "How long a browser's session lasts at most.");
    public static final KeySpec.Key<Duration> KEEP_AUDIT = new KeySpec.Key<>("audit",
            ValueTypes.duration("1d", "3650d", "90d"),
            new Absent.Means(Amounts.text(AccessOptions.DEFAULT.keepAudit())),
            "How long entries of the audit log are kept; about a million at most.");

    /** The keys below {@code admin}. */
    static final List<KeySpec> KEYS = List.of(LOCAL_ACCESS, HOSTS, TRUSTED, USER_HEADER, ROLE_HEADER, PROXY_ROLE,
            PROXY_SECRET_ENV, PROXY_SECRET_FILE,
            SESSION_IDLE, SESSION_MAX);

    private AccessSchema() {}

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

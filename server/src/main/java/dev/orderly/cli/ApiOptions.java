package dev.orderly.cli;

import dev.orderly.access.TokenSecret;
import dev.orderly.access.control.Credential;
import dev.orderly.cli.terminal.Terminal;
import dev.orderly.config.Config;
import dev.orderly.config.reader.ConfigFile;
import dev.orderly.config.reader.ConfigResult;
import dev.orderly.http.tls.CertificatePassword;
import dev.orderly.http.tls.CertificateSource;
import dev.orderly.http.tls.ClientTls;
import dev.orderly.http.tls.UnusableCertificateException;
import dev.orderly.server.LocalAccessFile;
import dev.orderly.text.VisibleText;
import dev.orderly.web.header.Authority;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** The server that a command calls, and the form of the printed answer. */
final class ApiOptions {
    private static final String DEFAULT = "http://127.0.0.1:8081";
    /** The configuration of a server that a package has installed. */
    private static final Path PACKAGE = Path.of("/etc/orderly/orderly.yaml");
    /** The secret of a server without a configuration, and of the demo. */
    private static final Path SECRET = Path.of("data", "secret");

    /** The member of answers whose text has lines: a stack trace, or the words of a worker. */
    private static final String LINES = "detail";
    /** The member with a payload that is JSON, which is printed as JSON. */
    private static final String CONTENT = "json";

    @ArgGroup(exclusive = true, multiplicity = "0..1")
    private @Nullable Where where;

    @ArgGroup(exclusive = true, multiplicity = "0..1")
    private @Nullable Proof proof;

    @Option(names = "--ca", paramLabel = "FILE",
            description = "Certificates (PEM) to trust instead of those of the JDK, for https addresses.")
    private @Nullable Path authorities;

    @Option(names = "--cert", paramLabel = "FILE", split = ",",
            description = "The certificate of this client and its key (cert.pem,key.pem), or one file with both, for"
                    + " servers with admin.tls.clients.")
    private @Nullable List<Path> certificate;

    @Option(names = "--json", description = "Print the API's answer unchanged.")
    private boolean json;

    ApiOptions() {}

    /** The two ways to name the server. */
    static final class Where {
        @Option(names = "--url", paramLabel = "URL", description = "The server's API; if not given ORDERLY_URL, the"
                + " address in ORDERLY_CONFIG, in orderly.yaml of this folder or in /etc/orderly/orderly.yaml,"
                + " or " + DEFAULT + ".")
        private @Nullable String url;
        @Option(names = "--config", paramLabel = "FILE",
                description = "Take the address from the server's configuration.")
        private @Nullable Path config;

        Where() {}
    }

    /** The two ways to give an access token. */
    static final class Proof {
        @Option(names = "--token", paramLabel = "TOKEN", description = "An access token; ORDERLY_TOKEN if not given,"
                + " or the token of the server's own user if its file local-access is found.")
        private @Nullable String token;
        @Option(names = "--token-file", paramLabel = "FILE", description = "A file with an access token.")
        private @Nullable Path file;

        Proof() {}
    }

    /**
     * Prints the answer unchanged if that was requested, otherwise in the command's own words.
     *
     * @param readable gets the answer with {@linkplain #visible visible} texts
     */
    void show(JsonNode answer, Terminal terminal, Consumer<JsonNode> readable) {
        if (json) {
            terminal.out().println(answer);
        } else {
            readable.accept(visible(answer));
        }
    }

    /** An answer with {@linkplain VisibleText visible} texts, each in one line, so that none forges a line. */
    static JsonNode visible(JsonNode answer) {
        if (answer.isString()) {
            return StringNode.valueOf(VisibleText.of(answer.stringValue()));
        }
        if (answer.isArray()) {
            ArrayNode visible = JsonMapper.shared().createArrayNode();
            answer.forEach(each -> visible.add(visible(each)));
            return visible;
        }
        if (!answer.isObject()) {
            return answer;
        }
        ObjectNode visible = JsonMapper.shared().createObjectNode();
        answer.properties().forEach(member -> visible.set(VisibleText.of(member.getKey()),
                visible(member.getKey(), member.getValue())));
        return visible;
    }

    private static JsonNode visible(String member, JsonNode value) {
        if (member.equals(CONTENT)) {
            return value;
        }
        return member.equals(LINES) && value.isString()
                ? StringNode.valueOf(VisibleText.lines(value.stringValue()))
                : visible(value);
    }

    /** The configuration that names the server; null if its address was given, or nothing. */
    @Nullable
    Path config() {
        return where == null ? null : where.config;
    }

    ApiClient client(Map<String, String> environment) {
        return client(url(environment), environment, ApiClient.ANSWER);
    }

    /** Clients of the server and of others with the same proof, each with this time for an answer. */
    List<ApiClient> clients(List<String> others, Map<String, String> environment, Duration answer) {
        return Stream.concat(Stream.of(url(environment)), others.stream()).distinct()
                .map(url -> client(url, environment, answer)).toList();
    }

    private ApiClient client(String url, Map<String, String> environment, Duration answer) {
        String given = token(environment);
        String token = given == null && isLoopback(url) ? localToken(environment) : given;
        if (token != null && url.startsWith("http://") && !isLoopback(url)) {
            throw new CommandFailedException(Main.WRONG, "The token would go to " + url
                    + " without encryption, readable for the whole network: use an https address", null);
        }
        return new ApiClient(url, token, tls(), answer);
    }

    private @Nullable SSLContext tls() {
        if (authorities == null && certificate == null) {
            return null;
        }
        try {
            CertificateSource own = certificate == null
                    ? null
                    : new CertificateSource(certificate.getFirst(),
                            certificate.size() < 2 ? null : certificate.getLast(), CertificatePassword.NONE);
            return ClientTls.context(authorities, own);
        } catch (UnusableCertificateException e) {
            throw new CommandFailedException(Main.WRONG, String.valueOf(e.getMessage()), e);
        }
    }

    private static boolean isLoopback(String url) {
        try {
            String host = URI.create(url).getHost();
            return host == null || Authority.isLoopback(host); // an address without a host is reported by the request
        } catch (IllegalArgumentException _) {
            return true;
        }
    }

    private @Nullable String token(Map<String, String> environment) {
        String given = proof == null ? null : proof.token;
        if (given == null && proof != null && proof.file != null) {
            try {
                given = Files.readString(proof.file);
            } catch (IOException e) {
                throw new CommandFailedException(Main.WRONG, "The token cannot be read from " + proof.file + " (" + e
                        + "): check the path and its permissions", e);
            }
        }
        String token = given == null ? environment.get("ORDERLY_TOKEN") : given;
        if (token == null || token.isBlank()) {
            return null;
        }
        if (Credential.Token.of(token.strip()).isEmpty()) {
            throw new CommandFailedException(Main.WRONG, "The token is incomplete or mistyped: it begins with "
                    + TokenSecret.PREFIX + " and has a checksum that does not match; copy it whole", null);
        }
        return token.strip();
    }

    /**
     * The token of the server's own user, from the file beside the secret: of the configuration that is named, in this
     * folder or of the package, else of a server without one. Null if there is none that this user may read.
     */
    private @Nullable String localToken(Map<String, String> environment) {
        Path secret = configuration(environment)
                .map(file -> new ConfigFile(file, environment).read() instanceof ConfigResult.Valid(Config config)
                        ? config.secretFile()
                        : file.resolveSibling(SECRET)) // the server runs with what was valid before
                .orElse(SECRET);
        return LocalAccessFile.read(LocalAccessFile.beside(secret)).orElse(null);
    }

    /** The configuration of the server: the given one, else that of the variable, of this folder or of the package. */
    private Optional<Path> configuration(Map<String, String> environment) {
        String variable = environment.get("ORDERLY_CONFIG");
        Stream<Path> named = where != null && where.config != null
                ? Stream.of(where.config)
                : variable != null ? Stream.of(Path.of(variable)) : Stream.of(ServeOptions.DEFAULT, PACKAGE);
        return named.filter(Files::isReadable).findFirst();
    }

    private String url(Map<String, String> environment) {
        if (where != null && where.config != null) {
            Config config = ConfigOption.read(new ConfigFile(where.config, environment), where.config);
            if (config.admin().port() == 0) {
                throw new CommandFailedException(Main.WRONG, where.config
                        + " has admin.port 0, any free port: pass the server's printed address with --url", null);
            }
            return ConfigOption.url(config.admin(), config.admin().port());
        }
        String given = where != null && where.url != null ? where.url : environment.get("ORDERLY_URL");
        String url = given == null ? foundUrl(environment) : given;
        return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    /**
     * The address in a configuration that was found rather than given. On this machine only: a file that lies in the
     * folder by chance sends no token elsewhere.
     */
    private String foundUrl(Map<String, String> environment) {
        Path file = configuration(environment).orElse(null);
        if (file == null || !(new ConfigFile(file, environment).read() instanceof ConfigResult.Valid(Config config))
                || config.admin().port() == 0) {
            return DEFAULT;
        }
        String url = ConfigOption.url(config.admin(), config.admin().port());
        return isLoopback(url) ? url : DEFAULT;
    }
}

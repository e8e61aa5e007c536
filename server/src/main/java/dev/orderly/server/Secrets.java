package dev.orderly.server;

import dev.orderly.access.TokenSecret;
import dev.orderly.file.OwnerOnlyFiles;
import dev.orderly.room.token.TokenKeys;
import dev.orderly.web.webhook.WebhookSecret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys that sign webhooks, attempt tokens and visitors' tokens, and that encrypt secrets in the store. All are
 * derived from the secrets of a variable, or of a file that is created if it is missing; none reveals another, so that
 * a receiver of webhooks can sign nothing else.
 *
 * @param webhooks known to the receivers of webhooks
 * @param attempts of attempt tokens
 * @param rooms of tickets and passes
 * @param stored of AES-256; the first one encrypts
 * @param addresses hashes the addresses of the visitor log
 * @param local the tokens of the server's own user; the first one is written to a file
 */
public record Secrets(List<WebhookSecret> webhooks, List<WebhookSecret> attempts, TokenKeys rooms,
        List<SecretKey> stored, WebhookSecret addresses, List<TokenSecret> local) {
    /** The variable with the secrets, separated by white space. */
    public static final String VARIABLE = "ORDERLY_SECRET";

    private static final Logger LOG = LoggerFactory.getLogger(Secrets.class);
    private static final String WEBHOOKS = "orderly webhooks";
    private static final String ATTEMPTS = "orderly attempt tokens";
    private static final String ADDRESSES = "orderly visitor log";
    private static final String STORED = "orderly stored secrets";
    private static final String LOCAL = "orderly local access";
    private static final int BYTES = 32;
    private static final long FILE_MAX = 64 << 10;

    public Secrets {
        webhooks = List.copyOf(webhooks);
        attempts = List.copyOf(attempts);
        stored = List.copyOf(stored);
        local = List.copyOf(local);
    }

    /** For a server that signs nothing: a random key. */
    static Secrets unused() {
        byte[] secret = new byte[BYTES];
        new SecureRandom().nextBytes(secret);
        return new Secrets(List.of(), List.of(), TokenKeys.of(List.of(secret)), List.of(),
                WebhookSecret.parse(Base64.getEncoder().encodeToString(secret)), List.of(TokenSecret.of(secret)));
    }

    /**
     * The secrets, at least one.
     *
     * @param variable the value of {@link #VARIABLE}; null if it is not set, then the file counts
     * @param file one secret a line; created with mode 0600 if it is missing
     * @param hasRooms whether the secrets sign tokens, which needs longer secrets
     * @throws StartFailedException naming the variable, or the file and line, never the secret
     */
    public static Secrets read(@Nullable String variable, Path file, boolean hasRooms) {
        if (variable != null) {
            return of("variable " + VARIABLE, Arrays.asList(variable.strip().split("\\s+")), hasRooms);
        }
        try {
            if (Files.notExists(file)) {
                make(file);
            }
            if (Files.size(file) > FILE_MAX) {
                throw new StartFailedException(
                        "Secret file " + file + " is larger than " + FILE_MAX + " bytes: check the path",
                        null);
            }
            warnIfOpen(file);
            return of("secret file " + file, Files.readAllLines(file), hasRooms);
        } catch (IOException e) {
            throw new StartFailedException("Secret file " + file + " cannot be read or created (" + e
                    + "): make the file and its folder accessible for this user, or set " + VARIABLE, e);
        }
    }

    private static Secrets of(String where, List<String> lines, boolean hasRooms) {
        List<WebhookSecret> secrets = parse(where, lines);
        List<WebhookSecret> webhooks = secrets.stream().map(secret -> secret.derived(WEBHOOKS)).toList();
        List<WebhookSecret> attempts = secrets.stream().map(secret -> secret.derived(ATTEMPTS)).toList();
        List<SecretKey> stored = secrets.stream().map(secret -> secret.derived(STORED).bytes())
                .<SecretKey>map(bytes -> new SecretKeySpec(bytes, "AES")).toList();
        WebhookSecret addresses = secrets.getFirst().derived(ADDRESSES);
        List<TokenSecret> local = secrets.stream().map(secret -> TokenSecret.of(secret.derived(LOCAL).bytes()))
                .toList();
        if (!hasRooms) {
            return new Secrets(webhooks, attempts, unused().rooms(), stored, addresses, local);
        }
        try {
            return new Secrets(webhooks, attempts, TokenKeys.of(secrets.stream().map(WebhookSecret::bytes).toList()),
                    stored, addresses, local);
        } catch (IllegalArgumentException e) {
            throw new StartFailedException(where + ": " + e.getMessage(), e);
        }
    }

    private static List<WebhookSecret> parse(String where, List<String> lines) {
        List<WebhookSecret> secrets = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty()) {
                try {
                    secrets.add(WebhookSecret.parse(line));
                } catch (IllegalArgumentException e) {
                    throw new StartFailedException(where + ", secret " + (i + 1) + ": " + e.getMessage(), e);
                }
            }
        }
        if (secrets.isEmpty()) {
            throw new StartFailedException(
                    "There is no secret in " + where + ": put one in, or remove the file to have one created",
                    null);
        }
        return List.copyOf(secrets);
    }

    private static void make(Path file) throws IOException {
        byte[] secret = new byte[BYTES];
        new SecureRandom().nextBytes(secret);
        if (OwnerOnlyFiles.create(file, Base64.getEncoder().encodeToString(secret) + "\n")) {
            LOG.info("Created a secret that signs webhooks and tokens in {}", file);
        } else {
            LOG.info("Another process created {} meanwhile", file);
        }
    }

    static void warnIfOpen(Path file) throws IOException {
        if (OwnerOnlyFiles.isPosix(file)) {
            Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
            if (mode.contains(PosixFilePermission.OTHERS_READ) || mode.contains(PosixFilePermission.OTHERS_WRITE)) {
                LOG.warn("Secret file {} is accessible to every user of this machine: chmod 600 it", file);
            }
        }
    }
}

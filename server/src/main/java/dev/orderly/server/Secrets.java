package dev.orderly.server;

import dev.orderly.http.webhook.WebhookSecret;
import dev.orderly.room.token.TokenKeys;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys that sign webhooks, attempt tokens and visitors' tokens. All are derived from the secrets of a variable, or
 * of a file that is created if it is missing; none reveals another, so that a receiver of webhooks can sign nothing
 * else.
 *
 * @param webhooks known to the receivers of webhooks
 * @param attempts of attempt tokens
 * @param rooms of tickets and passes
 * @param addresses hashes the addresses of the visitor log
 */
public record Secrets(List<WebhookSecret> webhooks, List<WebhookSecret> attempts, TokenKeys rooms,
        WebhookSecret addresses) {
    /** The variable with the secrets, separated by white space. */
    public static final String VARIABLE = "ORDERLY_SECRET";

    private static final Logger LOG = LoggerFactory.getLogger(Secrets.class);
    private static final String WEBHOOKS = "orderly webhooks";
    private static final String ATTEMPTS = "orderly attempt tokens";
    private static final String ADDRESSES = "orderly visitor log";
    private static final int BYTES = 32;
    private static final long FILE_MAX = 64 << 10;
    private static final String OWNER_ONLY = "rw-------";
    private static final String OWNER_ONLY_FOLDER = "rwx------";

    public Secrets {
        webhooks = List.copyOf(webhooks);
        attempts = List.copyOf(attempts);
    }

    /** For a server that signs nothing: a random key. */
    static Secrets unused() {
        byte[] secret = new byte[BYTES];
        new SecureRandom().nextBytes(secret);
        return new Secrets(List.of(), List.of(), TokenKeys.of(List.of(secret)),
                WebhookSecret.parse(Base64.getEncoder().encodeToString(secret)));
    }

    /**
     * The secrets, at least one.
     *
     * @param variable the value of {@link #VARIABLE}; null if it is not set, then the file counts
     * @param file one secret a line; created with mode 0600 if it is missing
     * @param hasRooms whether the secrets sign tokens, which needs longer secrets
     * @throws StartFailed naming the variable, or the file and line, never the secret
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
                throw new StartFailed("Secret file " + file + " is larger than " + FILE_MAX + " bytes: check the path",
                        null);
            }
            warnIfOpen(file);
            return of("secret file " + file, Files.readAllLines(file), hasRooms);
        } catch (IOException e) {
            throw new StartFailed("Secret file " + file + " cannot be read or created (" + e
                    + "): make the file and its folder accessible for this user, or set " + VARIABLE, e);
        }
    }

    private static Secrets of(String where, List<String> lines, boolean hasRooms) {
        List<WebhookSecret> secrets = parse(where, lines);
        List<WebhookSecret> webhooks = secrets.stream().map(secret -> secret.derived(WEBHOOKS)).toList();
        List<WebhookSecret> attempts = secrets.stream().map(secret -> secret.derived(ATTEMPTS)).toList();
        WebhookSecret addresses = secrets.getFirst().derived(ADDRESSES);
        if (!hasRooms) {
            return new Secrets(webhooks, attempts, unused().rooms(), addresses);
        }
        try {
            return new Secrets(webhooks, attempts, TokenKeys.of(secrets.stream().map(WebhookSecret::bytes).toList()),
                    addresses);
        } catch (IllegalArgumentException e) {
            throw new StartFailed(where + ": " + e.getMessage(), e);
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
                    throw new StartFailed(where + ", secret " + (i + 1) + ": " + e.getMessage(), e);
                }
            }
        }
        if (secrets.isEmpty()) {
            throw new StartFailed(
                    "There is no secret in " + where + ": put one in, or remove the file to have one created",
                    null);
        }
        return List.copyOf(secrets);
    }

    /** Written to a temporary file and then moved, so that no start finds half a secret. */
    private static void make(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null) {
            throw new NoSuchFileException(file.toString());
        }
        createFolders(folder);
        byte[] secret = new byte[BYTES];
        new SecureRandom().nextBytes(secret);
        Path aside = Files.createTempFile(folder, "secret", ".new", mode(folder, OWNER_ONLY));
        try (OutputStream out = Files.newOutputStream(aside, StandardOpenOption.WRITE)) {
            out.write((Base64.getEncoder().encodeToString(secret) + "\n").getBytes(StandardCharsets.US_ASCII));
        }
        try {
            Files.createLink(file, aside);
            LOG.info("Created a secret that signs webhooks and tokens in {}", file);
        } catch (FileAlreadyExistsException _) {
            LOG.info("Another process created {} meanwhile", file);
        } finally {
            Files.delete(aside);
        }
    }

    /** Creates the missing folders, accessible for their owner only: they will also hold the data. */
    private static void createFolders(Path folder) throws IOException {
        Path existing = folder;
        while (existing != null && Files.notExists(existing)) {
            existing = existing.getParent();
        }
        Files.createDirectories(folder, existing == null ? new FileAttribute<?>[0] : mode(existing, OWNER_ONLY_FOLDER));
    }

    private static FileAttribute<?>[] mode(Path place, String mode) throws IOException {
        return Files.getFileStore(place).supportsFileAttributeView("posix")
                ? new FileAttribute<?>[]{PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))}
                : new FileAttribute<?>[0];
    }

    static void warnIfOpen(Path file) throws IOException {
        if (Files.getFileStore(file).supportsFileAttributeView("posix")) {
            Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
            if (mode.contains(PosixFilePermission.OTHERS_READ) || mode.contains(PosixFilePermission.OTHERS_WRITE)) {
                LOG.warn("Secret file {} is accessible to every user of this machine: chmod 600 it", file);
            }
        }
    }
}

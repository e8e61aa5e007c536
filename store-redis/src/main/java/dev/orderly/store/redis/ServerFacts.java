package dev.orderly.store.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a server says of itself, as far as its user may ask.
 *
 * @param info of INFO; empty if the user may not
 * @param config of CONFIG GET; empty if the user may not
 */
record ServerFacts(Map<String, String> info, Map<String, String> config) {
    private static final int MAJOR = 6;
    private static final int MINOR = 2;
    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*");

    static ServerFacts read(StatefulRedisConnection<String, String> connection) {
        Map<String, String> config = new HashMap<>();
        try {
            for (String each : List.of("appendfsync", "save", "maxmemory", "maxmemory-policy")) {
                config.putAll(connection.sync().configGet(each));
            }
        } catch (RedisCommandExecutionException e) {
            config.clear();
        }
        return new ServerFacts(info(connection, "default"), config);
    }

    /** What the server process calls its run; empty if the user may not ask. */
    static String run(StatefulRedisConnection<String, String> connection) {
        return info(connection, "server").getOrDefault("run_id", "");
    }

    private static Map<String, String> info(StatefulRedisConnection<String, String> connection, String section) {
        Map<String, String> info = new HashMap<>();
        try {
            connection.sync().info(section).lines().filter(line -> line.contains(":")).forEach(
                    line -> info.put(line.substring(0, line.indexOf(':')), line.substring(line.indexOf(':') + 1)));
        } catch (RedisCommandExecutionException e) {
            info.clear();
        }
        return info;
    }

    /** Why this server cannot keep rooms, and what to do about it. */
    Optional<String> problem() {
        Matcher version = VERSION.matcher(info.getOrDefault("redis_version", ""));
        if (version.matches() && isOld(Integer.parseInt(version.group(1)), Integer.parseInt(version.group(2)))) {
            return Optional.of("it is Redis " + version.group() + ": use " + MAJOR + "." + MINOR
                    + " or newer, or Valkey");
        }
        String policy = policy();
        if (!policy.isEmpty() && !policy.equals("noeviction") && !maxmemory().equals("0")) {
            return Optional
                    .of("its maxmemory-policy is " + policy + ", so it throws away parts of a line when its memory"
                            + " is full: set maxmemory-policy to noeviction, or maxmemory to 0");
        }
        return Optional.empty();
    }

    private static boolean isOld(int major, int minor) {
        return major < MAJOR || (major == MAJOR && minor < MINOR);
    }

    private String policy() {
        return config.getOrDefault("maxmemory-policy", info.getOrDefault("maxmemory_policy", ""));
    }

    private String maxmemory() {
        return config.getOrDefault("maxmemory", info.getOrDefault("maxmemory", ""));
    }

    /** What could not be found out, and has to be seen to by who runs the server. */
    List<String> doubts() {
        List<String> doubts = new ArrayList<>();
        if (!info.containsKey("redis_version")) {
            doubts.add("the user may not ask INFO: see that it is Redis " + MAJOR + "." + MINOR + " or newer; after a"
                    + " restart or a failover, visitors may be overtaken for some seconds");
        }
        if (policy().isEmpty()) {
            doubts.add("the user may ask neither CONFIG GET nor INFO: see that maxmemory-policy is noeviction");
        }
        return doubts;
    }

    /** Whether little is lost when the server ends. */
    boolean isKept() {
        return "1".equals(info.get("aof_enabled")) && !"no".equals(config.get("appendfsync"));
    }

    /** What is lost when the server ends without notice. */
    String losses() {
        return crash()
                + "; a failover to a replica loses what had not reached it. Places that are lost are issued again";
    }

    private String crash() {
        String append = info.get("aof_enabled");
        if ("1".equals(append)) {
            return switch (config.getOrDefault("appendfsync", "")) {
                case "always" -> "A crash of the server loses nothing that was answered (appendfsync always)";
                case "everysec" ->
                    "A crash of its machine loses up to the last two seconds (appendfsync everysec)";
                case "no" ->
                    "A crash of its machine loses about the last 30 seconds (appendfsync no): set it to everysec"
                            + " or always";
                default -> "A crash of its machine loses the last seconds (append-only file; the user may not ask how"
                        + " often it is flushed)";
            };
        }
        String snapshots = config.get("save");
        if ("0".equals(append) && snapshots != null && snapshots.isBlank()) {
            return "A crash or restart of the server loses everything (no append-only file, no snapshots): set appendonly"
                    + " to yes";
        }
        if ("0".equals(append)) {
            return "A crash of the server loses everything since the last snapshot (save \""
                    + (snapshots == null ? "unknown" : snapshots) + "\"): set appendonly to yes";
        }
        return "What a crash of the server loses is not known, the user may not ask INFO: set appendonly to yes";
    }
}

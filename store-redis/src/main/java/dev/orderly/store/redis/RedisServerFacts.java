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
 * Version and settings of a server, as far as its user may read them.
 *
 * @param info fields of INFO; empty if the user may not run it
 * @param config settings of CONFIG GET; empty if the user may not run it
 */
record RedisServerFacts(Map<String, String> info, Map<String, String> config) {
    private static final int MAJOR = 6;
    private static final int MINOR = 2;
    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*");

    static RedisServerFacts read(StatefulRedisConnection<String, String> connection) {
        Map<String, String> config = new HashMap<>();
        try {
            for (String each : List.of("appendfsync", "save", "maxmemory", "maxmemory-policy")) {
                config.putAll(connection.sync().configGet(each));
            }
        } catch (RedisCommandExecutionException e) {
            config.clear();
        }
        return new RedisServerFacts(info(connection, "default"), config);
    }

    /** The id of the server process's run; empty if the user may not read it. */
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

    /** The reason why this server cannot keep rooms, with its remedy; empty if it can. */
    Optional<String> problem() {
        Matcher version = VERSION.matcher(info.getOrDefault("redis_version", ""));
        if (version.matches() && isOld(Integer.parseInt(version.group(1)), Integer.parseInt(version.group(2)))) {
            return Optional.of("it is Redis " + version.group() + ": use " + MAJOR + "." + MINOR
                    + " or newer, or Valkey");
        }
        String policy = policy();
        if (!policy.isEmpty() && !policy.equals("noeviction") && !maxmemory().equals("0")) {
            return Optional
                    .of("its maxmemory-policy is " + policy + ", so it evicts parts of a line when its memory"
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

    /** Whether it takes its data from a primary; false if the user may not read it. */
    boolean isReplica() {
        return "slave".equals(info.get("role"));
    }

    /** Facts that the user may not read, which the operator of the server has to check. */
    List<String> doubts() {
        List<String> doubts = new ArrayList<>();
        if (!info.containsKey("redis_version")) {
            doubts.add("the user may not run INFO: check that it is Redis " + MAJOR + "." + MINOR + " or newer; after a"
                    + " restart or a failover, visitors may be overtaken for some seconds");
        }
        if (policy().isEmpty()) {
            doubts.add("the user may run neither CONFIG GET nor INFO: check that maxmemory-policy is noeviction");
        }
        return doubts;
    }

    /** Whether a crash loses at most some seconds of changes. */
    boolean isKept() {
        return "1".equals(info.get("aof_enabled")) && !"no".equals(config.get("appendfsync"));
    }

    /** Description of the changes that a crash and a failover lose, with a remedy. */
    String losses() {
        return crash()
                + "; a failover to a replica loses changes that had not reached it. Lost places are issued again";
    }

    private String crash() {
        String append = info.get("aof_enabled");
        if ("1".equals(append)) {
            return switch (config.getOrDefault("appendfsync", "")) {
                case "always" -> "A crash of the server loses no answered change (appendfsync always)";
                case "everysec" ->
                    "A crash of its machine loses up to the last two seconds (appendfsync everysec)";
                case "no" ->
                    "A crash of its machine loses about the last 30 seconds (appendfsync no): set it to everysec"
                            + " or always";
                default -> "A crash of its machine loses the last seconds (append-only file; the user may not read how"
                        + " often it is flushed)";
            };
        }
        String snapshots = config.get("save");
        if ("0".equals(append) && snapshots != null && snapshots.isBlank()) {
            return "A crash or restart of the server loses everything (no append-only file, no snapshots): set "
                    + "appendonly"
                    + " to yes";
        }
        if ("0".equals(append)) {
            return "A crash of the server loses everything since the last snapshot (save \""
                    + (snapshots == null ? "unknown" : snapshots) + "\"): set appendonly to yes";
        }
        return "The loss at a crash of the server is not known, since the user may not run INFO: set appendonly to yes";
    }
}

package dev.orderly.store.redis;

import dev.orderly.job.NodeId;
import dev.orderly.job.store.NodeTimes;
import dev.orderly.live.OnlineUserStore;
import dev.orderly.time.Time;
import dev.orderly.user.UserId;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The port of online users. Each call is one script. After a restart of the server nodes have to report their users
 * again.
 */
final class RedisOnlineUsers implements OnlineUserStore {
    private final Connections connections;
    private final Commands commands;
    private final String[] keys;
    private final @Nullable Time clock;

    /** @param clock replaces the server's clock for the liveness of nodes, in tests */
    RedisOnlineUsers(Connections connections, Commands commands, String prefix, @Nullable Time clock) {
        this.clock = clock;
        this.connections = connections;
        this.commands = commands;
        keys = keys(prefix);
    }

    /** The keys in the order of presence.lua. They share a hash tag that is no name of a room. */
    static String[] keys(String prefix) {
        return Stream.of("run", "nodes", "by-user", "by-node", "not-before").map(each -> prefix + ":{Presence}:" + each)
                .toArray(String[]::new);
    }

    @Override
    public Noted note(NodeId node, Set<UserId> came, Set<UserId> left) {
        List<Object> reply = run(Script.NOTE, node, List.of(Integer.toString(came.size())), came, left);
        return new Noted(isKnown(reply), users(reply));
    }

    @Override
    public Beat beat(NodeId node, Duration deadAfter) {
        String moment = clock == null ? "" : Long.toString(clock.now().toEpochMilli());
        List<Object> reply = run(Script.BEAT, node, List.of(millis(deadAfter), millis(NodeTimes.GAP),
                millis(NodeTimes.GRACE), moment), Set.of(), Set.of());
        return new Beat(isKnown(reply), users(reply));
    }

    @Override
    public Set<UserId> leave(NodeId node) {
        return users(run(Script.LEAVE, node, List.of(), Set.of(), Set.of()));
    }

    @Override
    public Set<UserId> elsewhere(NodeId node, Set<UserId> users) {
        return users(run(Script.ELSEWHERE, node, List.of(), users, Set.of()));
    }

    private List<Object> run(Script script, NodeId node, List<String> more, Set<UserId> some, Set<UserId> others) {
        ServerLink link = connections.link(keys[0]);
        // Encoded, since a node's name must not contain the separator \0.
        String name = URLEncoder.encode(node.value(), StandardCharsets.UTF_8);
        String[] arguments = Stream.of(List.of(link.run(), name), more, values(some), values(others))
                .flatMap(Collection::stream).toArray(String[]::new);
        return commands.run(link, script, keys, arguments);
    }

    private static String millis(Duration span) {
        return Long.toString(span.toMillis());
    }

    private static List<String> values(Set<UserId> users) {
        return users.stream().map(UserId::value).toList();
    }

    private static boolean isKnown(List<Object> reply) {
        return Long.valueOf(1).equals(reply.getFirst());
    }

    private static Set<UserId> users(List<Object> reply) {
        return reply.stream().skip(1).map(each -> new UserId((String) each)).collect(Collectors.toSet());
    }
}

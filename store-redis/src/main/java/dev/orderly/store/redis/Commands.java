package dev.orderly.store.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Sends commands and waits for their answers, for a bounded time. Thread-safe; blocks. */
final class Commands {
    private static final String NEVER_SENT = "Currently not connected";
    private static final String NEVER_SENT_EITHER = "Connection is closed";

    /**
     * Longest wait for replicas. A call waits behind one of them, and for the next two, in less than the wait for an
     * answer.
     */
    private static final Duration REPLICATION = Duration.ofMillis(500);

    private final Connections connections;
    private final RedisErrors errors;
    private final int replicas;

    /** @param replicas that have a promise before it is answered */
    Commands(Connections connections, RedisErrors errors, int replicas) {
        this.connections = connections;
        this.errors = errors;
        this.replicas = replicas;
    }

    /**
     * Runs a script. Sends its text only if the server does not know it yet. A promise is answered once the wanted
     * number of replicas has it.
     */
    List<Object> run(ServerLink link, Script script, String[] keys, String[] arguments) {
        List<Object> answer;
        try {
            answer = await(link, redis -> redis.evalsha(script.digest(), ScriptOutputType.MULTI, keys, arguments));
        } catch (Unknown e) {
            answer = ask(link, redis -> redis.eval(script.text(), ScriptOutputType.MULTI, keys, arguments));
        }
        if (replicas > 0 && script.isPromise()) {
            replicate(link);
        }
        return answer;
    }

    /** On the same connection, so that what it has written before counts. */
    private void replicate(ServerLink link) {
        long have = ask(link, redis -> link.waits().begin(redis, replicas, REPLICATION));
        if (have < replicas) {
            throw errors.unreplicated(have, replicas, REPLICATION);
        }
    }

    /** Sends one command. */
    <T> T ask(ServerLink link, Function<RedisAsyncCommands<String, String>, Future<T>> command) {
        try {
            return await(link, command);
        } catch (Unknown e) {
            throw errors.answered(e.getCause());
        }
    }

    /** The server does not know the script, and did nothing. */
    private static final class Unknown extends Exception {
        private static final long serialVersionUID = 1;
        private final RedisNoScriptException reason;

        Unknown(RedisNoScriptException reason) {
            super(reason);
            this.reason = reason;
        }

        @Override
        public RedisNoScriptException getCause() {
            return reason;
        }
    }

    private <T> T await(ServerLink link, Function<RedisAsyncCommands<String, String>, Future<T>> command)
            throws Unknown {
        Future<T> sent;
        try {
            sent = command.apply(link.connection().async());
        } catch (RedisException e) {
            throw errors.unreached(e);
        }
        try {
            return sent.get(connections.patience().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw slow(link, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw errors.lost("the caller was interrupted", e);
        } catch (CancellationException e) {
            throw errors.lost("the connection was closed", e);
        } catch (ExecutionException e) {
            throw failed(link, e.getCause() == null ? e : e.getCause());
        }
    }

    private RuntimeException failed(ServerLink link, Throwable cause) throws Unknown {
        if (cause instanceof RedisNoScriptException unknown) {
            throw new Unknown(unknown);
        }
        if (cause instanceof RedisCommandExecutionException) {
            if (RedisErrors.isElsewhere(cause)) {
                connections.drop(link, String.valueOf(cause.getMessage()));
            } else if (RedisErrors.isMoved(cause)) {
                connections.seek();
            }
            return errors.answered(cause);
        }
        if (cause instanceof RedisCommandTimeoutException) {
            return slow(link, cause);
        }
        String message = String.valueOf(cause.getMessage());
        boolean neverSent = message.startsWith(NEVER_SENT) || message.startsWith(NEVER_SENT_EITHER);
        return neverSent ? errors.away(message) : errors.lost(message, cause);
    }

    /** Drops the connection, so that the next callers fail at once and do not wait as long. */
    private RuntimeException slow(ServerLink link, Throwable cause) {
        String why = "it took longer than " + connections.patience().toSeconds() + " s";
        connections.drop(link, why);
        return errors.lost(why, cause);
    }
}

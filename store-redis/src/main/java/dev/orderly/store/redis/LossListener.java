package dev.orderly.store.redis;

import dev.orderly.flow.BackgroundLoop;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;

/** Wakes the loop of a connection when the connection is lost. */
record LossListener(BackgroundLoop loop) implements RedisConnectionStateListener {
    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
        loop.ring();
    }
}

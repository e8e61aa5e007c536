package dev.orderly.store.redis;

import dev.orderly.flow.BackgroundLoop;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;

/** Lets the loop that looks after a connection notice its loss at once. */
record LossListener(BackgroundLoop loop) implements RedisConnectionStateListener {
    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
        loop.ring();
    }
}

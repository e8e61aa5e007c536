package dev.orderly.store.redis;

import dev.orderly.flow.Loop;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;

/** Lets the loop that looks after a connection notice its loss at once. */
record Ringing(Loop loop) implements RedisConnectionStateListener {
    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
        loop.ring();
    }
}

package dev.orderly.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Limits;
import dev.orderly.store.redis.Gate.Person;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contents of the keys of a room. */
class RoomKeysTest {
    private final RedisOptions options = Server.fresh();
    private final RedisStore redis = Server.open(options);
    private final Gate gate = Gate.at("gate", redis);
    private final String[] keys = new RoomKeys(options.prefix()).of(Gate.SALE);

    @AfterEach
    void close() {
        redis.close();
        Server.clean(options);
    }

    @Test
    void usedUpTicketsAreForgottenAfterTheyHaveExpired() {
        gate.covers(Gate.NOW);
        List<Person> line = gate.join(600, Duration.ZERO, Gate.NOW);
        gate.govern(Limits.NONE, 10, Gate.NOW);
        gate.admit(line, Gate.NOW);
        assertThat(Server.shared().hlen(keys[4])).as("chunks of 256").isEqualTo(3);
        Instant expired = Gate.NOW.plus(Duration.ofHours(24)).plus(Duration.ofMinutes(5));
        gate.govern(Limits.NONE, 10, expired);
        assertThat(Server.shared().hlen(keys[4])).isEqualTo(3);
        gate.govern(Limits.NONE, 10, expired.plusMillis(1));
        assertThat(Server.shared().exists(keys[4], keys[5])).isZero();
    }
}
